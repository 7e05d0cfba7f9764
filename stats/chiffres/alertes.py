"""Choice of the alerts shown, where there are more than ALERTES_MAX."""

from typing import Any

from signalements.models import Signalement
from signalements.vocabulaire import ALERTES, Priorite
from stats.vocabulaire import ALERTES_MAX

PLACES_DES_DERNIERES = ALERTES_MAX // 2
URGENCES = tuple(reversed(Priorite))


def alertes(visibles: Any) -> list[Signalement]:
    """At most ALERTES_MAX reports by urgency, then age; past it, half the places go to the latest, however urgent.

    So a person who reports a hundred times fills one half alone, and a report of somebody else's is still seen. Nothing
    here reads whose a report is.
    """
    premieres = list(visibles.en_alerte()[:ALERTES_MAX])
    if len(premieres) < ALERTES_MAX:
        return premieres
    dernieres = sorted((une for statut in ALERTES for une in _dernieres(visibles, statut)), key=_arrivee, reverse=True)
    retenues = {une.pk: une for une in [*premieres[:PLACES_DES_DERNIERES], *dernieres[:PLACES_DES_DERNIERES]]}
    for une in premieres:  # fills the places that both halves share
        if len(retenues) < ALERTES_MAX:
            retenues.setdefault(une.pk, une)
    return sorted(retenues.values(), key=lambda une: (URGENCES.index(Priorite(une.priorite)), *_arrivee(une)))


def _arrivee(signalement: Signalement) -> Any:
    return signalement.date_creation, signalement.pk


def _dernieres(visibles: Any, statut: str) -> Any:
    """The latest of one status, by the index on it."""
    return visibles.filter(statut=statut).order_by("-date_creation", "-id")[:PLACES_DES_DERNIERES]
