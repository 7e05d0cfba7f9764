"""Total and page offset of the team's lists, from the counters: neither has to count or skip reports."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from signalements.effectifs import Reserves
from signalements.lectures import effectifs, jour_du_rang
from signalements.vocabulaire import Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.lectures import Passage
from socle.domaine.temps import debut_du_jour, fin_du_jour

# Filters that no counter knows.
_INCONNUS = ("search", "gestionnaireId", "nonLus")


@dataclass(frozen=True)
class Comptage:
    """Counter cells of one filtered list; `axe` splits them by day, None where no single axis covers its filters.

    No counter holds reserved reports: those that the reader may read are added, wherever they stand in the list.
    """

    reserves: Reserves
    conditions: dict[str, Any]
    jours: dict[str, Any]
    axe: Axe | None
    recents_d_abord: bool = True
    ouverts_seuls: bool = False

    def passages(self) -> list[Passage]:
        return [self._effectif(), self.reserves.passage()]

    def total(self, lues: list[list[Any]]) -> int:
        comptees, reservees = lues
        self.reserves.accueillir(reservees)
        tous = sum(self._nombre(nombre, resolus) for _axe, nombre, resolus, _secondes in comptees)
        return tous + sum(nombre for _jour, nombre in self._reserves())

    def avancer(self, rang: int) -> tuple[dict[str, datetime], int]:
        """The bounds of `crees` that start a page at the day that holds this offset, with the offset inside it.

        At a day before it where there are reports that the cells by day do not hold, by as many rows at most: reserved
        ones, and those of the changes that no fold has told apart yet.
        """
        if self.axe is None:
            return {}, rang
        a_part = [*self._reserves(), *self._non_plies()]
        comptees = max(rang - sum(nombre for _jour, nombre in a_part if nombre > 0), 0)
        lue = jour_du_rang(
            comptees, self.ouverts_seuls, self.recents_d_abord, self.axe, **self.conditions, **self.jours
        ).premiere()
        if lue is None:
            return {}, rang
        jour, compris, du_jour = lue
        passes = compris - du_jour
        passes += sum(n for cree, n in a_part if (cree > jour if self.recents_d_abord else cree < jour))
        if passes > rang:  # more of these than rows before the page
            return {}, rang
        premier, dernier = self.jours.get("jour__gte", date.min), self.jours.get("jour__lte", date.max)
        if self.recents_d_abord:
            dernier = jour
        else:
            premier = jour
        # Both ends: told of one alone, PostgreSQL expects a third of the table, and plans each page anew.
        return {"depuis": debut_du_jour(premier), "avant": fin_du_jour(dernier)}, rang - int(passes)

    def _effectif(self) -> Passage:
        if self.jours and self.axe is not None:
            return effectifs(("axe",), axe=self.axe, **self.conditions, **self.jours).toutes()
        return effectifs(("axe",), axe=Axe.TOUT, **self.conditions).toutes()

    def _nombre(self, nombre: int, resolus: int) -> int:
        return int(nombre - resolus if self.ouverts_seuls else nombre)

    def _reserves(self) -> Iterator[tuple[date, int]]:
        """Day of creation and number of the reserved reports of this list."""
        for jour, mesures in self.reserves.par_jour(**self.conditions, **self.jours):
            yield jour, self._nombre(mesures.nombre, mesures.resolus)

    def _non_plies(self) -> Iterator[tuple[date, int]]:
        """Day of creation, and the difference made there, of the changes of this list since the last fold."""
        changes = effectifs(("jour",), axe=Axe.ENSEMBLE, **self.conditions, **self.jours)
        for jour, nombre, resolus, _secondes in changes.lignes():
            yield jour, self._nombre(nombre, resolus)


def de_tous(acteur: Acteur, parametres: dict[str, Any]) -> Comptage | None:
    """Comptage of this reader's list of all reports; None where a filter is no dimension of the counters."""
    return _comptage(acteur, parametres)


def des_non_traites(acteur: Acteur, parametres: dict[str, Any]) -> Comptage | None:
    """Comptage of their list of open reports, oldest first; None as in `de_tous`."""
    return _comptage(acteur, parametres, recents_d_abord=False, ouverts_seuls=True)


def _comptage(acteur: Acteur, parametres: dict[str, Any], **ordre: bool) -> Comptage | None:
    if any(parametres.get(nom) for nom in _INCONNUS):
        return None
    noms = {"statut": "statut", "priorite": "priorite", "sourceActeur": "source"}
    dimensions = {colonne: parametres[nom] for nom, colonne in noms.items() if parametres.get(nom)}
    axe = _axe(dimensions)
    bornes = {"jour__gte": parametres.get("debut"), "jour__lte": parametres.get("fin")}
    jours = {nom: jour for nom, jour in bornes.items() if jour is not None}
    if jours and axe is None:
        return None
    type_ = {"type": parametres["type"].upper()} if parametres.get("type") else {}
    return Comptage(Reserves(acteur), {**dimensions, **type_}, jours, axe, **ordre)


def _axe(dimensions: dict[str, Any]) -> Axe | None:
    """The axis by day of at most one dimension; None where they are several."""
    if len(dimensions) > 1:
        return None
    return Axe[next(iter(dimensions)).upper()] if dimensions else Axe.JOUR
