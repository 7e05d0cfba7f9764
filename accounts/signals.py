from django.dispatch import Signal

compte_desactive = Signal()  # compte
role_modifie = Signal()  # compte, ancien (the role it had)
# compte: active and of the staff, under a name that it had not, or (`entre`) where it was not
nomme_dans_l_equipe = Signal()
sessions_terminees = Signal()  # session_ids
jeton_reutilise = Signal()  # compte
effacement_demande = Signal()  # nothing: who asks is not told
