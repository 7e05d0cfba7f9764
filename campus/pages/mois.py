"""A month as it is drawn: whole weeks from Monday, and what each day has."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from calendrier.models import EvenementCampus
from campus.vocabulaire import PAR_JOUR, mois_d_apres
from socle.domaine.temps import jour_du_campus

# Past them a time zone may not be able to say the day.
AU_PLUS_TOT, AU_PLUS_TARD = datetime(1900, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
UN_JOUR, UN_INSTANT = timedelta(days=1), timedelta(microseconds=1)


@dataclass
class Jour:
    date: date
    est_du_mois: bool
    est_aujourd_hui: bool
    evenements: list[EvenementCampus] = field(default_factory=list)

    @property
    def montres(self) -> list[EvenementCampus]:
        return self.evenements[:PAR_JOUR]

    @property
    def de_plus(self) -> int:
        return len(self.evenements) - len(self.montres)


def a_montrer(evenements: Iterable[EvenementCampus]) -> list[EvenementCampus]:
    """The same, their dates such that every time zone can show them; not to be saved.

    Each with its `dernier_jour`, None where that is the first.
    """
    montres: list[Any] = list(evenements)
    for un in montres:
        un.date_debut = min(max(un.date_debut, AU_PLUS_TOT), AU_PLUS_TARD)
        un.date_fin = min(max(un.date_fin, AU_PLUS_TOT + UN_INSTANT), AU_PLUS_TARD)
        premier, dernier = _bouts(un)
        un.dernier_jour = dernier if dernier != premier else None
    return montres


def bornes(premier: date) -> tuple[date, date]:
    """The first Monday and the last Sunday of the weeks of a month."""
    suivant = mois_d_apres(premier, 1) or date(premier.year + 1, 1, 1)
    dernier = suivant - UN_JOUR
    return premier - premier.weekday() * UN_JOUR, dernier + (6 - dernier.weekday()) * UN_JOUR


def semaines(premier: date, evenements: Iterable[EvenementCampus]) -> list[list[Jour]]:
    """Seven days a row; an event is on each of its days."""
    debut, fin = bornes(premier)
    par_jour: dict[date, list[EvenementCampus]] = defaultdict(list)
    for un in evenements:
        for jour in jours_de(un, debut, fin):
            par_jour[jour].append(un)
    aujourd_hui = jour_du_campus()
    jours = [
        Jour(jour, jour.month == premier.month, jour == aujourd_hui, par_jour[jour])
        for jour in _de_jour_en_jour(debut, fin)
    ]
    return [jours[rang : rang + 7] for rang in range(0, len(jours), 7)]


def jours_de(evenement: Any, debut: date, fin: date) -> Iterator[date]:
    """The days of the campus that an event touches, between two: one that ends at midnight has no next day."""
    premier, dernier = _bouts(evenement)
    return _de_jour_en_jour(max(premier, debut), min(dernier, fin))


def _bouts(evenement: Any) -> tuple[date, date]:
    return jour_du_campus(evenement.date_debut), jour_du_campus(evenement.date_fin - UN_INSTANT)


def _de_jour_en_jour(premier: date, dernier: date) -> Iterator[date]:
    return (premier + rang * UN_JOUR for rang in range((dernier - premier).days + 1))
