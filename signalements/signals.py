from django.dispatch import Signal

signalement_cree = Signal()  # signalement
statut_modifie = Signal()  # signalement, ancien
signalement_assigne = Signal()  # signalement
note_ajoutee = Signal()  # signalement, note
entree_ajoutee = Signal()  # signalement, entree
dossiers_joints = Signal()  # chemins: {id of a report: id of the case that it leads to from now on}
