from django.dispatch import Signal

evenement_cree = Signal()  # evenement
# evenement; what others see of it, its places included. champs: those that were changed, none for places alone
evenement_modifie = Signal()  # evenement, champs, par (id of who did it, or None)
evenement_annule = Signal()  # evenement, comptes (ids of who was registered), par
participations_changees = Signal()  # evenement, statut, comptes (ids of those who got it by another's act), par
