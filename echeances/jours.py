"""Days of the campus: which ones are worked, and where a time from a day ends."""

import calendar
from datetime import date, timedelta
from functools import lru_cache

from django.conf import settings

from echeances.models import Delai, JourFerme
from echeances.vocabulaire import Unite
from socle.domaine.temps import jour_du_campus

UN_JOUR = timedelta(days=1)


def jour_du(delai: Delai, depuis: date, fermes: frozenset[date]) -> date:
    """The day on which this time ends, counted from the day after `depuis`; `fermes` are the days of closure.

    Working days are neither those of rest, nor public holidays, nor days of closure. A month ends on the day of the
    same number, or on its last one. Days and months end on the day they end, worked or not: a promise is not put off.
    """
    if delai.unite == Unite.JOURS:
        return depuis + timedelta(days=delai.nombre)
    if delai.unite == Unite.MOIS:
        return _mois_apres(depuis, delai.nombre)
    return _jour_ouvre(delai.nombre, depuis, fermes, settings.JOURS_DE_REPOS, settings.PAYS_FERIES)


def dans_des_jours_ouvres(nombre: int) -> date:
    """The day that is this many working days after today's, whether cases are given dates or not."""
    fermes = frozenset(JourFerme.objects.values_list("jour", flat=True))
    return _jour_ouvre(nombre, jour_du_campus(), fermes, settings.JOURS_DE_REPOS, settings.PAYS_FERIES)


@lru_cache(maxsize=32)  # every case of a day asks for the same ones
def _jour_ouvre(nombre: int, depuis: date, fermes: frozenset[date], repos: frozenset[int], pays: str) -> date:
    jour = depuis
    while nombre > 0:
        jour += UN_JOUR
        est_ouvre = jour.isoweekday() not in repos and jour not in fermes and jour not in feries(jour.year, pays)
        nombre -= est_ouvre
    return jour


@lru_cache(maxsize=32)
def feries(annee: int, pays: str) -> frozenset[date]:
    """Public holidays of this year, of this country of `PAYS_FERIES`; none without one."""
    if not pays:
        return frozenset()
    import holidays  # see `config.env.pays_feries`

    code, _, region = pays.partition("-")
    return frozenset(holidays.country_holidays(code, subdiv=region or None, years=annee))


def _mois_apres(depuis: date, nombre: int) -> date:
    rang = depuis.month - 1 + nombre
    annee, mois = depuis.year + rang // 12, rang % 12 + 1
    return date(annee, mois, min(depuis.day, calendar.monthrange(annee, mois)[1]))
