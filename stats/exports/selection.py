"""Which reports an export holds, and how they are read: a few at a time, whatever their number."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count

from signalements.filters import filtrer_pour
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.domaine.delais import accorder
from stats.exports.colonnes import REGROUPEES, Ligne

LOT = 2_000


def signalements_a_exporter(acteur: Acteur, filtres: dict[str, str]) -> Any:
    """Those of the staff list under these filters, in its order."""
    lignes = Signalement.objects.visibles_par(acteur).order_by("-date_creation", "-id")
    return filtrer_pour(acteur, lignes, filtres)


def depassent(signalements: Any, nombre: int) -> bool:
    """Whether there are more than this; a million are not counted to know it."""
    return bool(signalements.order_by()[: nombre + 1].count() > nombre)


@contextmanager
def lecture() -> Iterator[None]:
    """A cursor of the server needs a transaction on PostgreSQL: without one it copies all it will read.

    On SQLite a transaction takes the write lock, and a read goes without.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic():
        yield


def patienter() -> None:
    """In the background a statement may take its time, to the end of the transaction."""
    accorder(120)


def lire(signalements: Any) -> Iterator[Ligne]:
    return map(Ligne._make, signalements.values_list(*Ligne._fields).iterator(chunk_size=LOT))


def valeurs_partagees(signalements: Any) -> dict[str, set[str]]:
    """Of each column, the values that at least SMALL_CELLS_BELOW of these reports have; {} where all are shown."""
    if not settings.SMALL_CELLS_BELOW:
        return {}
    return {nom: _partagees(signalements, nom) for nom in REGROUPEES}


def _partagees(signalements: Any, nom: str) -> set[str]:
    comptes = signalements.order_by().values(nom).annotate(total=Count("*"))
    return set(comptes.filter(total__gte=settings.SMALL_CELLS_BELOW).values_list(nom, flat=True))
