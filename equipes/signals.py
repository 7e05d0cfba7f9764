from django.dispatch import Signal

# equipe; by their keys, gagnes and perdus: accounts that read its cases from now on, or not any more, prevenus: those
# to be told, par: who did it, None for the service
composition_changee = Signal()

# equipe, par: a rule that gives it new cases, or gave it some, was changed by this account
routage_change = Signal()
