"""Context managers around every change of reports: they append, as delta rows, the difference that it makes.

The rows are of either sign and of the transaction of the change: no writer waits for the lock of another.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from signalements.comptees import COMPTEES, Ligne, ouvrir_lignes
from signalements.compteurs.cellules import Compteurs, comptes, difference
from signalements.models import Effectif, Signalement
from socle.moteur.ecritures import ENSEMBLE_MAX, inserer_rangees

LOT = 5_000


@contextmanager
def suivre(*signalements: Signalement) -> Iterator[None]:
    """Context manager around the insert of new reports or a change of locked ones: append the difference it makes."""
    with (
        ExitStack() as ouvertes,
        _suivre(lambda: [Ligne(**s.comptees) for s in signalements if s.comptees is not None]),
    ):
        for signalement in signalements:
            ouvertes.enter_context(signalement.ouvrir())
        yield


@contextmanager
def suivre_lignes(cles: Iterable[UUID]) -> Iterator[None]:
    """Context manager around bulk changes of these locked reports: query before and after, append the difference."""
    cles = list(cles)
    lignes = Signalement.objects.order_by().filter(pk__in=cles).values_list(*COMPTEES)
    with ouvrir_lignes(cles), _suivre(lambda: map(Ligne._make, lignes.all())):
        yield


@contextmanager
def _suivre(lire: Callable[[], Iterable[Any]]) -> Iterator[None]:
    avant = comptes(lire())
    yield
    ajouter(difference(comptes(lire()), avant))


class _Rangee(NamedTuple):
    """A delta row, without the model: the columns of a cell, then those of its measures."""

    axe: str
    jour: date
    type: str
    statut: str
    priorite: str
    mode: str
    source: str
    gestionnaire: str
    equipe: UUID
    nombre: int
    resolus: int
    secondes: int
    plie: bool = False


def ajouter(compte: Compteurs) -> None:
    """Insert these as delta rows, in one statement but for very many."""
    if len(compte) > ENSEMBLE_MAX:
        lignes = [Effectif(**c._asdict(), **m._asdict()) for c, m in compte.items()]
        Effectif.objects.bulk_create(lignes, batch_size=LOT)
    else:
        inserer_rangees(Effectif, [_Rangee(*cellule, *mesures) for cellule, mesures in compte.items()])
