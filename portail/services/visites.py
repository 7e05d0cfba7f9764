"""Visits of an account to its own cases: of what was there then, `avis` mails nothing."""

from datetime import datetime, timedelta

from accounts.models import Compte
from avis.familles.auteur import visites
from portail.models import Acces

AU_PLUS = timedelta(days=1)  # an access is opened no longer before its use: found by the index of its date


@visites("portail")
def est_venu(compte: Compte, depuis: datetime) -> bool:
    """True of an access used since, that has shown no page of the campus after one's own cases."""
    ouverts = Acces.objects.filter(date_creation__gt=depuis - AU_PLUS, date_activite__gt=depuis)
    return ouverts.filter(session__compte=compte, date_campus=None).exists()
