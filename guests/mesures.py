"""Merges that are made, replayed or refused, counted for operators."""

from collections.abc import Iterator
from contextlib import contextmanager

from guests.erreurs import ConflitDeFusion
from guests.fusion.execution import Resultat
from socle.api.exceptions import en_refus
from socle.metriques import merges_total


@contextmanager
def refus_comptes() -> Iterator[None]:
    """Count a refused merge by kind and raise it again; a 5xx is no refusal: the request metrics tell it."""
    try:
        yield
    except ConflitDeFusion:
        merges_total.labels("conflit").inc()
        raise
    except Exception as panne:
        if en_refus(panne).statut_http < 500:
            merges_total.labels("refus").inc()
        raise


def compter(resultat: Resultat) -> None:
    """Count a merge, or the replay of one."""
    merges_total.labels("rejeu" if resultat.rejoue else "fusion").inc()
