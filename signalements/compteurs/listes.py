"""Total and page offset of the team's lists, from the counters: neither has to count or skip reports."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from signalements.compteurs.lectures import effectifs, jour_du_rang
from signalements.compteurs.reserves import Reserves
from signalements.vocabulaire import Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import debut_du_jour, fin_du_jour
from socle.moteur.lectures import LectureRemplie, Passage, ensemble

# An offset that is walked: past it, what is asked to come nearer costs less.
A_PARCOURIR = 20_000
# Filters that no counter knows.
_INCONNUS = ("search", "gestionnaireId", "nonLus", "enRetard", "tri")


@dataclass(frozen=True)
class Comptage:
    """Counter cells of one filtered list; `axe` splits them by day, None where no single axis covers its filters.

    No counter holds reserved reports: those that the reader may read are added, wherever they stand in the list.
    """

    lecteur: Acteur
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

        At a day before it where there are reports that the cells by day do not hold, by as many rows at most.
        """
        if self.axe is None:
            return {}, rang
        jour, passes = self._par_les_plies(rang) or self._par_toutes(rang) or (None, 0)
        if jour is None or passes > rang:  # more reserved reports than rows before the page
            return {}, rang
        premier, dernier = self.jours.get("jour__gte", date.min), self.jours.get("jour__lte", date.max)
        if self.recents_d_abord:
            dernier = jour
        else:
            premier = jour
        # Both ends: told of one alone, PostgreSQL expects a third of the table, and plans each page anew.
        return {"depuis": debut_du_jour(premier), "avant": fin_du_jour(dernier)}, rang - passes

    def _par_les_plies(self, rang: int) -> tuple[date, int] | None:
        """`_par_toutes` from the folded cells, read in the order of their index, and the changes not folded beside.

        None where these have changed between two reads of them, which a fold does, and the cells read between would
        hold them as well; and where they are so many that the day found is far before the offset.
        """
        changes = effectifs(("jour",), axe=Axe.ENSEMBLE, lecteur=self.lecteur, **self.conditions, **self.jours)
        avant = changes.lignes()
        a_part = [*self._reserves(), *[(jour, self._nombre(nombre, resolus)) for jour, nombre, resolus, _s in avant]]
        comptees = max(rang - _positifs(a_part), 0)
        mois, avant_lui = self._mois(comptees)
        lues, apres = ensemble(self._jour(comptees - avant_lui, plies=True, **mois).une(), changes.toutes())
        if not lues or sorted(apres) != sorted(avant):
            return None
        jour, compris, du_jour = lues[0]
        jour, passes = self._lieu((jour, compris + avant_lui, du_jour), a_part)
        return (jour, passes) if passes <= rang <= passes + du_jour + A_PARCOURIR else None

    def _mois(self, rang: int) -> tuple[dict[str, date], int]:
        """The month that holds the row of this rank among the folded cells, and how many rows there are before it.

        No month where these cells have none by month, or would have parts of some.
        """
        if self.axe != Axe.JOUR or self.jours:
            return {}, 0
        lue = self._jour(rang, plies=True, axe=Axe.MOIS).premiere()
        if lue is None:
            return {}, 0
        mois, compris, du_mois = lue
        dernier = mois.replace(day=monthrange(mois.year, mois.month)[1])
        return {"jour__gte": mois, "jour__lte": dernier}, int(compris - du_mois)

    def _par_toutes(self, rang: int) -> tuple[date, int] | None:
        """A day at this offset or before it, and how many rows there are before that day; all cells, in one read."""
        reserves = list(self._reserves())
        lue = self._jour(max(rang - _positifs(reserves), 0), plies=False).premiere()
        return None if lue is None else self._lieu(lue, reserves)

    def _jour(self, rang: int, *, plies: bool, **autres: Any) -> LectureRemplie:
        criteres = {"axe": self.axe, "lecteur": self.lecteur, **self.conditions, **self.jours, **autres}
        return jour_du_rang(rang, self.ouverts_seuls, self.recents_d_abord, plies, **criteres)

    def _lieu(self, lue: tuple[date, int, int], a_part: list[tuple[date, int]]) -> tuple[date, int]:
        jour, compris, du_jour = lue
        avant = sum(n for cree, n in a_part if (cree > jour if self.recents_d_abord else cree < jour))
        return jour, int(compris - du_jour + avant)

    def _effectif(self) -> Passage:
        if self.jours and self.axe is not None:
            return effectifs(("axe",), axe=self.axe, lecteur=self.lecteur, **self.conditions, **self.jours).toutes()
        return effectifs(("axe",), axe=Axe.TOUT, lecteur=self.lecteur, **self.conditions).toutes()

    def _nombre(self, nombre: int, resolus: int) -> int:
        return int(nombre - resolus if self.ouverts_seuls else nombre)

    def _reserves(self) -> Iterator[tuple[date, int]]:
        """Day of creation and number of the reserved reports of this list."""
        for jour, mesures in self.reserves.par_jour(**self.conditions, **self.jours):
            yield jour, self._nombre(mesures.nombre, mesures.resolus)


def _positifs(a_part: list[tuple[date, int]]) -> int:
    return sum(nombre for _jour, nombre in a_part if nombre > 0)


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
    return Comptage(acteur, Reserves(acteur), {**dimensions, **type_}, jours, axe, **ordre)


def _axe(dimensions: dict[str, Any]) -> Axe | None:
    """The axis by day of at most one dimension; None where they are several."""
    if len(dimensions) > 1:
        return None
    return Axe[next(iter(dimensions)).upper()] if dimensions else Axe.JOUR
