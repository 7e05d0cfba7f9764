from django.dispatch import Signal

signalement_cree = Signal()  # signalement
statut_modifie = Signal()  # signalement, ancien
signalement_assigne = Signal()  # signalement
note_ajoutee = Signal()  # signalement, note
entree_ajoutee = Signal()  # signalement, entree
