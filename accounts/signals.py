from django.dispatch import Signal

compte_desactive = Signal()  # compte
role_modifie = Signal()  # compte, ancien (the role it had)
nomme_dans_l_equipe = Signal()  # compte: active and of the staff, under a name or in a role that it had not
sessions_terminees = Signal()  # session_ids
jeton_reutilise = Signal()  # compte
effacement_demande = Signal()  # nothing: who asks is not told
