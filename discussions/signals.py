from django.dispatch import Signal

discussion_ouverte = Signal()  # discussion
message_ecrit = Signal()  # message, discussion
messages_lus = Signal()  # discussion, messages (their ids, in the order of the conversation)
