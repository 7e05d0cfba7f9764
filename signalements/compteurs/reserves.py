"""The reserved reports of one reader, which no counter holds: added to the sums of the counters for them alone."""

import operator
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Any

from signalements.comptees import Ligne
from signalements.compteurs.cellules import Cellule, Mesures, Sommes, cellules
from signalements.compteurs.lectures import reserves_comptables, total
from signalements.vocabulaire import Axe
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import Passage


class Reserves:
    """The reserved reports that one person may read, as cells: read once, with what else is read then."""

    def __init__(self, acteur: Acteur) -> None:
        self._demande = reserves_comptables(acteur)
        self._lignes: list[Ligne] | None = None

    def passage(self) -> Passage:
        return self._demande.toutes()

    def accueillir(self, lues: Iterable[Any]) -> None:
        """Take the rows of `passage`."""
        self._lignes = [Ligne._make(lue) for lue in lues]

    @property
    def en_a(self) -> bool:
        return bool(self._lues())

    def sommes(self, axe: Axe, par: tuple[str, ...], **conditions: Any) -> Sommes:
        """The measures of the cells of these conditions, as `effectifs` takes them, summed by these columns."""
        sommes: Sommes = {}
        for cellule, mesures in self._cellules():
            if cellule.axe == axe and _repond(cellule, conditions):
                cle = tuple(getattr(cellule, nom) for nom in par)
                sommes[cle] = sommes.get(cle, Mesures()).plus(mesures)
        return sommes

    def par_jour(self, **conditions: Any) -> Iterator[tuple[date, Mesures]]:
        """Day of creation and measures of each report of these conditions, whatever axes they are of."""
        jours: dict[str, Any] = {nom: conditions.pop(nom) for nom in list(conditions) if nom.startswith("jour")}
        for ligne in self._lues():
            tout, jour = (next(p for p in cellules(ligne) if p[0].axe == axe) for axe in (Axe.TOUT, Axe.JOUR))
            if _repond(tout[0], conditions) and _repond(jour[0], jours):
                yield jour[0].jour, jour[1]

    def _cellules(self) -> Iterator[tuple[Cellule, Mesures]]:
        for ligne in self._lues():
            yield from cellules(ligne)

    def _lues(self) -> list[Ligne]:
        if self._lignes is None:
            self.accueillir(self._demande.lignes())
        return self._lignes or []


def total_pour(acteur: Acteur, *, axe: Axe, **filtres: Any) -> Mesures:
    """Sum the measures of the filtered cells of what this person of the staff reads, reserved reports among it."""
    reserves = Reserves(acteur).sommes(axe, (), **filtres).get((), Mesures())
    return total(axe=axe, **filtres, lecteur=acteur).plus(reserves)


def _repond(cellule: Cellule, conditions: dict[str, Any]) -> bool:
    for nom, voulu in conditions.items():
        colonne, _, comparaison = nom.partition("__")
        valeur = getattr(cellule, colonne)
        if not _COMPARAISONS[comparaison](valeur, voulu):
            return False
    return True


_COMPARAISONS: dict[str, Callable[[Any, Any], bool]] = {
    "": operator.eq,
    "gte": operator.ge,
    "lte": operator.le,
    "in": lambda valeur, voulues: valeur in voulues,
}
