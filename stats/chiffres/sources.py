"""Sources of numbers behind one Protocol: the stored counters for staff, a person's own reports for anyone else."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from signalements import effectifs
from signalements.colonnes import COMPTEES
from signalements.effectifs import Cellule, Mesures, additionner
from signalements.models import Signalement
from signalements.vocabulaire import TOUJOURS, Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit

# Axes whose counters have no day.
_SANS_JOUR = (Axe.TOUT, Axe.GESTIONNAIRE)


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
    """Source computed from the rows of one actor's reports, which an index finds: a person has few."""

    portee = "PERSONNELLE"

    def __init__(self, acteur: Acteur) -> None:
        siens = Signalement.objects.vivants().de(acteur).order_by().values_list(*COMPTEES, named=True)
        self._cellules = additionner(siens, vu_par=acteur)

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> dict[tuple[Any, ...], Mesures]:
        sommes: dict[tuple[Any, ...], Mesures] = {}
        for cellule, mesures in self._cellules.items():
            if cellule.axe == axe and filtre.admet(cellule):
                cle = tuple(getattr(cellule, nom) for nom in par)
                sommes[cle] = sommes.get(cle, Mesures()).plus(mesures)
        return sommes


def source_pour(acteur: Acteur) -> Source:
    """DeTous for an actor with STATS_CONSULTER_GLOBALES, else DeSoi."""
    return DeTous() if acteur.peut(Droit.STATS_CONSULTER_GLOBALES) else DeSoi(acteur)
