from django.dispatch import Signal

discussion_ouverte = Signal()  # discussion
discussions_jointes = Signal()  # chemins: {id of a discussion: id of the one that it leads to from now on}
# message, discussion, alerte: what it has raised, or None; retour: it is the feedback on the case;
# tient_le_dossier: the lock of its case is held
message_ecrit = Signal()
messages_lus = Signal()  # discussion, messages (their ids, in the order of the conversation)
discussions_effacees = Signal()  # cles: of discussions that are no more
