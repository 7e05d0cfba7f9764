from django.dispatch import Signal

session_desactivee = Signal()  # session
session_fusionnee = Signal()  # session
etape_franchie = Signal()  # etape: what a merge has just done, inside its transaction
