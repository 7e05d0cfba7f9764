from django.dispatch import Signal

poste_publie = Signal()  # poste
statut_modifie = Signal()  # poste, avant, par (id of the moderator)
poste_supprime = Signal()  # poste
commentaire_ecrit = Signal()  # commentaire, poste
reaction_posee = Signal()  # reaction, poste
reaction_retiree = Signal()  # reaction_id, poste
relecture_demandee = Signal()  # demande
