"""Total and page offset of the team's lists, from the counters: neither has to count or skip reports."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signalements.lectures import effectifs, jour_du_rang
from signalements.vocabulaire import Axe
from socle.domaine.lectures import Passage
from socle.domaine.temps import debut_du_jour, fin_du_jour

# Filters that no counter knows.
_INCONNUS = ("search", "gestionnaireId", "nonLus")


@dataclass(frozen=True)
class Comptage:
    """Counter cells of one filtered list; `axe` splits them by day, None where no single axis covers its filters."""

    conditions: dict[str, Any]
    jours: dict[str, Any]
    axe: Axe | None
    recents_d_abord: bool = True
    ouverts_seuls: bool = False

    def effectif(self) -> Passage:
        if self.jours and self.axe is not None:
            return effectifs(("axe",), axe=self.axe, **self.conditions, **self.jours).toutes()
        return effectifs(("axe",), axe=Axe.TOUT, **self.conditions).toutes()

    def total(self, lues: list[Any]) -> int:
        return sum(nombre - resolus if self.ouverts_seuls else nombre for _axe, nombre, resolus, _secondes in lues)

    def avancer(self, rang: int) -> tuple[dict[str, datetime], int]:
        """The bounds of `crees` that start a page at the day that holds this offset, with the offset inside it."""
        if self.axe is None:
            return {}, rang
        lue = jour_du_rang(
            rang, self.ouverts_seuls, self.recents_d_abord, self.axe, **self.conditions, **self.jours
        ).premiere()
        if lue is None:
            return {}, rang
        jour, passes = lue
        if self.recents_d_abord:
            return {"avant": fin_du_jour(jour)}, rang - int(passes)
        return {"depuis": debut_du_jour(jour)}, rang - int(passes)


def de_tous(parametres: dict[str, Any]) -> Comptage | None:
    """Comptage of the list of all reports; None where a filter is no dimension of the counters."""
    return _comptage(parametres)


def des_non_traites(parametres: dict[str, Any]) -> Comptage | None:
    """Comptage of the list of open reports, oldest first; None as in `de_tous`."""
    return _comptage(parametres, recents_d_abord=False, ouverts_seuls=True)


def _comptage(parametres: dict[str, Any], **ordre: bool) -> Comptage | None:
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
    return Comptage({**dimensions, **type_}, jours, axe, **ordre)


def _axe(dimensions: dict[str, Any]) -> Axe | None:
    """The axis by day of at most one dimension; None where they are several."""
    if len(dimensions) > 1:
        return None
    return Axe[next(iter(dimensions)).upper()] if dimensions else Axe.JOUR
