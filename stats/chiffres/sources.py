"""Sources of numbers behind one Protocol: the stored counters for staff, a person's own reports for anyone else."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from typing import Any, Protocol

from signalements import effectifs
from signalements.colonnes import Ligne
from signalements.effectifs import Cellule, Compteurs, Mesures, additionner
from signalements.lectures import les_siens_comptables, les_siens_comptes
from signalements.vocabulaire import TOUJOURS, Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.temps import debut_du_jour, fin_du_jour

# Axes whose counters have no day.
_SANS_JOUR = (Axe.TOUT, Axe.GESTIONNAIRE)
# Axes whose cells have the day of creation, and the place of each dimension among the groups of `DeSoi`.
_PAR_CREATION = (Axe.JOUR, Axe.STATUT, Axe.PRIORITE, Axe.MODE, Axe.SOURCE)
_GROUPEES = {"statut": 0, "type": 1, "priorite": 2, "mode": 3, "source": 4}


@dataclass(frozen=True)
class Filtre:
    """Days of the campus, both included, and a type; None does not limit."""

    debut: date | None = None
    fin: date | None = None
    type: str | None = None

    @property
    def a_des_jours(self) -> bool:
        return self.debut is not None or self.fin is not None

    def conditions(self, axe: Axe) -> dict[str, Any]:
        """The filter as look-ups on the counters of this axis."""
        jours = {} if axe in _SANS_JOUR else {"jour__gte": self.debut, "jour__lte": self.fin}
        return {nom: valeur for nom, valeur in {**jours, "type": self.type}.items() if valeur is not None}

    def admet(self, cellule: Cellule) -> bool:
        if self.type is not None and cellule.type != self.type:
            return False
        if cellule.jour == TOUJOURS:
            return True
        return (self.debut or cellule.jour) <= cellule.jour <= (self.fin or cellule.jour)


class Source(Protocol):
    portee: str

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> dict[tuple[Any, ...], Mesures]:
        """Sum the measures of this axis's cells that the filter admits, grouped by these columns."""


class DeTous:
    portee = "GLOBALE"

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> dict[tuple[Any, ...], Mesures]:
        if "jour" not in par and not filtre.a_des_jours and axe != Axe.GESTIONNAIRE:
            axe = Axe.TOUT  # the same sums, from fewer cells
        lues = effectifs.lire(*par, axe=axe, **filtre.conditions(axe))
        return {cle: mesures for cle, mesures in lues.items() if mesures.nombre}


class DeSoi:
    """Source computed from one actor's reports, which an index finds: a person has few."""

    portee = "PERSONNELLE"

    def __init__(self, acteur: Acteur) -> None:
        self._acteur = acteur
        self._groupes = cache(self._grouper)

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> dict[tuple[Any, ...], Mesures]:
        sommes: dict[tuple[Any, ...], Mesures] = {}
        for cle, mesures in self._mesures(axe, par, filtre):
            sommes[cle] = sommes[cle].plus(mesures) if cle in sommes else mesures
        return sommes

    def _mesures(self, axe: Axe, par: tuple[str, ...], filtre: Filtre) -> Iterator[tuple[tuple[Any, ...], Mesures]]:
        if axe in _PAR_CREATION and set(par) <= _GROUPEES.keys():
            rangs = [_GROUPEES[nom] for nom in par]
            for valeurs, mesures in self._groupes(filtre):
                yield tuple(valeurs[rang] for rang in rangs), mesures
        else:
            for cellule, mesures in self._cellules.items():
                if cellule.axe == axe and filtre.admet(cellule):
                    yield tuple(getattr(cellule, nom) for nom in par), mesures

    def _grouper(self, filtre: Filtre) -> list[tuple[tuple[Any, ...], Mesures]]:
        """Sums by the values of `_GROUPEES`, made by the database."""
        depuis = None if filtre.debut is None else debut_du_jour(filtre.debut)
        avant = None if filtre.fin is None else fin_du_jour(filtre.fin)
        lignes = les_siens_comptes(self._acteur, depuis, avant, filtre.type).lignes()
        source = str(self._acteur.source)  # an owner sees the true kind of all that is theirs
        return [((*ligne[:-3], source), Mesures(*ligne[-3:])) for ligne in lignes]

    @cached_property
    def _cellules(self) -> Compteurs:
        siens = map(Ligne._make, les_siens_comptables(self._acteur).lignes())
        return additionner(siens, vu_par=self._acteur)


def source_pour(acteur: Acteur) -> Source:
    """DeTous for an actor with STATS_CONSULTER_GLOBALES, else DeSoi."""
    return DeTous() if acteur.peut(Droit.STATS_CONSULTER_GLOBALES) else DeSoi(acteur)
