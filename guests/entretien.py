"""Retention: empty guest sessions, then closed cases, batch by batch, each whole in its transaction."""

from collections.abc import Callable
from typing import Any

from guests.suppression import (
    dossiers_echus,
    dossiers_sans_avis,
    effacer_les_dossiers,
    effacer_les_sessions,
    sessions_echues,
)
from signalements.services import geler_sans_avis
from socle.taches.entretien import lots, purges

LOT_DE_SESSIONS = 500
LOT_DE_DOSSIERS = 50


# Before the cases: a session that one of them leaves empty goes with the next purge, as a simulation says.
@purges("Sessions invitées vides, sans activité depuis longtemps")
def sessions(*, simulation: bool) -> int:
    return _effacer(sessions_echues(), effacer_les_sessions, LOT_DE_SESSIONS, simulation=simulation)


@purges("Dossiers clôturés, gardés assez longtemps")
def dossiers(*, simulation: bool) -> int:
    if not simulation:
        for lot in lots(dossiers_sans_avis(), LOT_DE_DOSSIERS):
            for cle in lot:
                geler_sans_avis(cle)
    return _effacer(dossiers_echus(), effacer_les_dossiers, LOT_DE_DOSSIERS, simulation=simulation)


def _effacer(lignes: Any, acte: Callable[..., int], taille: int, *, simulation: bool) -> int:
    if simulation:
        return int(lignes.order_by().count())
    return sum(acte(lot, parmi=lignes) for lot in lots(lignes, taille))
