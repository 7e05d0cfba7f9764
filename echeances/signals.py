from django.dispatch import Signal

date_rappelee = Signal()  # signalement, etapes: the steps just taken, alerte: what they have raised, or None
