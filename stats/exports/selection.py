"""Queryset of an export's reports, read through a cursor in batches of LOT."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from signalements.filters import filtrer_pour
from signalements.models import Signalement
from signalements.vocabulaire import BIENTOT
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import jour_du_campus
from socle.erreurs import ChampsInvalides
from socle.moteur.delais import accorder
from stats.exports.colonnes import REGROUPEES, Ligne
from stats.vocabulaire import PartDeListe

LOT = 2_000
CHOISIS = "choisis"  # the filter that is a list of keys, which only a page gives


def signalements_a_exporter(acteur: Acteur, filtres: dict[str, Any]) -> Any:
    """The queryset of the staff list under these filters, in its order; `part` is one of PartDeListe.

    Rows that were chosen one by one are these, and not one's own: neither a list nor its filters say them.
    """
    lignes = _part(Signalement.objects.visibles_par(acteur), filtres.get("part"), acteur)
    if CHOISIS in filtres:
        lignes = lignes.filter(pk__in=filtres[CHOISIS]).exclude(compte=acteur.compte)
    return filtrer_pour(acteur, lignes.order_by("-date_creation", "-id"), filtres)


def _part(lignes: Any, part: str | None, acteur: Acteur) -> Any:
    if part is None:
        return lignes
    if part not in PartDeListe.values:
        admises = _("Valeur inconnue. Valeurs admises : {admises}.")
        raise ChampsInvalides.pour(part=admises.format(admises=", ".join(PartDeListe.values)))
    jour = jour_du_campus()
    parts: dict[str, Callable[[], Any]] = {
        PartDeListe.OUVERTS: lignes.ouverts,
        PartDeListe.CLOS: lignes.resolus,
        PartDeListe.A_FAIRE: partial(lignes.a_faire_par, acteur),
        PartDeListe.EN_RETARD: partial(lignes.en_retard, jour),
        PartDeListe.BIENTOT: partial(lignes.entre, jour, jour + BIENTOT),
    }
    return parts[part]()


def depassent(signalements: Any, nombre: int) -> bool:
    """True for more than `nombre` rows, by a COUNT with a LIMIT: a million are not counted to know it."""
    return bool(signalements.order_by()[: nombre + 1].count() > nombre)


@contextmanager
def lecture() -> Iterator[None]:
    """Open a transaction for the server-side cursor of PostgreSQL, which would else copy all its rows first.

    None on SQLite, where a transaction takes the write lock.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic():
        yield


def patienter() -> None:
    """Raise the statement timeout to 120 s until the end of the transaction, for a background task."""
    accorder(120)


def lire(signalements: Any) -> Iterator[Ligne]:
    return map(Ligne._make, signalements.values_list(*Ligne._fields).iterator(chunk_size=LOT))


def valeurs_partagees(signalements: Any) -> dict[str, set[str]]:
    """Map each grouped column to the values that SMALL_CELLS_BELOW reports or more share; {} where all are shown."""
    if not settings.SMALL_CELLS_BELOW:
        return {}
    return {nom: _partagees(signalements, nom) for nom in REGROUPEES}


def _partagees(signalements: Any, nom: str) -> set[str]:
    comptes = signalements.order_by().values(nom).annotate(total=Count("*"))
    return set(comptes.filter(total__gte=settings.SMALL_CELLS_BELOW).values_list(nom, flat=True))
