from django.dispatch import Signal

evenement_cree = Signal()  # evenement
evenement_modifie = Signal()  # evenement; what others see of it, its places included
evenement_annule = Signal()  # evenement, comptes (ids of who was registered)
participations_changees = Signal()  # evenement, statut, comptes (ids of those who got it by another's act)
