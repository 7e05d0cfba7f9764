from django.dispatch import Signal

session_desactivee = Signal()  # session
session_fusionnee = Signal()  # session
fusion_annulee = Signal()  # compte: what had come to it is the guest's again
statut_decide = Signal()  # statut, acteur, signalement: the case it was decided from, or None; never the session
etape_franchie = Signal()  # etape: what a merge has just done, inside its transaction
