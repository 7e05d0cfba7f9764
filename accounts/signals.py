from django.dispatch import Signal

compte_desactive = Signal()  # compte
role_modifie = Signal()  # compte, ancien (the role it had)
sessions_terminees = Signal()  # session_ids
jeton_reutilise = Signal()  # compte
effacement_demande = Signal()  # nothing: who asks is not told
