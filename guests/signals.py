from django.dispatch import Signal

session_desactivee = Signal()  # session
session_fusionnee = Signal()  # session
fusion_reprise = Signal()  # compte: what a merge gave it is being taken back
statut_decide = Signal()  # statut, acteur, signalement: the case it was decided from, or None; never the session
etape_franchie = Signal()  # etape: what a merge has just done, inside its transaction
