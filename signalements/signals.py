from django.dispatch import Signal

from socle.realtime.diffusion import SignalAnnonce

# `entrees` are the lines that the act wrote in the history of the case, in their order.
signalement_cree = SignalAnnonce()  # signalement, entrees
statut_modifie = SignalAnnonce()  # signalement, ancien, entrees
signalement_assigne = SignalAnnonce()  # signalement, entrees, ancien: key of who handled it before, or None
alerte_ecartee = Signal()  # signalement, of an alert that no status raised
note_ajoutee = Signal()  # signalement, note
historique_complete = Signal()  # signalement, entrees, of an act that announces nothing else
# signalement, perdus: keys of the accounts that may not read it any more, entrees, prevenus: keys of the administrators
# who are told of it
lecteurs_changes = Signal()
equipe_changee = Signal()  # signalement, perdus: as above, entrees
# signalement, par: the name of who opened it, entrees, prevenus: keys of the accounts that are told of it
dossier_ouvert_sur_motif = Signal()
dossiers_effaces = Signal()  # dossiers: the rows that are no more, those joined to them among them
dossiers_rendus = Signal()  # dossiers: the cases that took something in, once a merge is undone
dossiers_joints = Signal()  # chemins: {id of a report: id of the case that it leads to from now on}
