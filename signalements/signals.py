from django.dispatch import Signal

# `entrees` are the lines that the act wrote in the history of the case, in their order.
signalement_cree = Signal()  # signalement, entrees
statut_modifie = Signal()  # signalement, ancien, entrees
signalement_assigne = Signal()  # signalement, entrees
note_ajoutee = Signal()  # signalement, note
historique_complete = Signal()  # signalement, entrees, of an act that announces nothing else
dossiers_joints = Signal()  # chemins: {id of a report: id of the case that it leads to from now on}
