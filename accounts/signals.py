from django.dispatch import Signal

compte_desactive = Signal()  # compte
sessions_terminees = Signal()  # session_ids
jeton_reutilise = Signal()  # compte
