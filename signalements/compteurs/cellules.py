"""Cells of the counters (`Effectif`): the key and the measures of one, and those that a report counts for, added up."""

import functools
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings

from signalements.dates import tenue
from signalements.vocabulaire import AU_MOIS, ETALEES, RESERVES, SANS_EQUIPE, TOUJOURS, Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import source_montree


class Cellule(NamedTuple):
    """Key of one counter; the dimensions that its axis does not look at are empty."""

    axe: str
    jour: date = TOUJOURS
    type: str = ""
    statut: str = ""
    priorite: str = ""
    mode: str = ""
    source: str = ""
    gestionnaire: str = ""
    equipe: UUID = SANS_EQUIPE


class Mesures(NamedTuple):
    """Reports, those of them that are resolved, and how long these took together, in seconds."""

    nombre: int = 0
    resolus: int = 0
    secondes: int = 0

    def plus(self, autre: "Mesures", signe: int = 1) -> "Mesures":
        return Mesures(self[0] + signe * autre[0], self[1] + signe * autre[1], self[2] + signe * autre[2])

    @property
    def heures(self) -> float | None:
        """Mean time to resolution, in hours; None where nothing is resolved."""
        return round(self.secondes / self.resolus / 3600, 2) if self.resolus else None


Compteurs = dict[Cellule, Mesures]
Sommes = dict[tuple[Any, ...], Mesures]


def cellules(ligne: Any, *, vu_par: Acteur | None = None) -> Iterator[tuple[Cellule, Mesures]]:
    """Yield each cell that a live report belongs to, with its measures; none once it was joined to another."""
    for cellule, mesures in _parts(ligne, vu_par):
        for une in _etaler(cellule):
            yield une, mesures


def _etaler(cellule: Cellule) -> Iterator[Cellule]:
    """The cells that a row is for: of a change, one on each of its axes; of any other axis, its own."""
    regards = ETALEES.get(Axe(cellule.axe))
    if regards is None:
        yield cellule
        return
    for axe, regard in regards.items():
        une = Cellule(axe, **{nom: getattr(cellule, nom) for nom in regard})
        yield une._replace(jour=une.jour.replace(day=1)) if axe in AU_MOIS else une


def _parts(ligne: Any, vu_par: Acteur | None = None) -> Iterator[tuple[Cellule, Mesures]]:
    """Yield the cells that a live report counts in, in as few rows as hold it."""
    if ligne.absorbe_par_id is not None:
        return
    mesures, equipe = _mesures(ligne), ligne.equipe_id or SANS_EQUIPE
    source = source_montree(ligne, vu_par=vu_par, dossier=ligne).value
    dimensions = (ligne.type, ligne.statut, ligne.priorite, ligne.mode_identification, source)
    yield Cellule(Axe.ENSEMBLE, _jour(ligne.date_creation), *dimensions, equipe=equipe), mesures
    if ligne.date_resolution is not None:
        yield Cellule(Axe.RESOLU, jour=_jour(ligne.date_resolution), type=ligne.type, equipe=equipe), mesures
    for echeance in ligne.echeances:
        jour = date.fromisoformat(echeance["pourLe"])
        promise = (ligne.type, echeance["nature"], tenue(echeance))
        yield Cellule(Axe.ECHEANCE, jour, *promise, equipe=equipe), Mesures(1)
    if ligne.gestionnaire_id is not None:
        gestionnaire = str(ligne.gestionnaire_id)
        yield Cellule(Axe.GESTIONNAIRE, statut=ligne.statut, gestionnaire=gestionnaire, equipe=equipe), mesures


def additionner(lignes: Iterable[Any], *, vu_par: Acteur | None = None) -> Compteurs:
    """Sum the cells of these reports as this reader is shown them; None: as all but the owner, like the counters."""
    return _sommer(part for ligne in lignes for part in cellules(ligne, vu_par=vu_par))


def comptes(lignes: Iterable[Any]) -> Compteurs:
    """Sum the parts that the counters keep: without reserved reports, which each reader adds (`Reserves`)."""
    return _sommer(part for ligne in lignes if ligne.ouvert_a not in RESERVES for part in _parts(ligne))


def _sommer(parts: Iterable[tuple[Cellule, Mesures]]) -> Compteurs:
    compte: Compteurs = {}
    for cellule, mesures in parts:
        deja = compte.get(cellule)
        compte[cellule] = mesures if deja is None else deja.plus(mesures)
    return compte


def etalees(compte: Compteurs) -> Compteurs:
    """The same by cells of one axis each, as a fold leaves them."""
    return _sommer((une, mesures) for cellule, mesures in compte.items() for une in _etaler(cellule))


def difference(un: Compteurs, autre: Compteurs) -> Compteurs:
    """The first minus the second, by cell, where they differ."""
    ecarts = un | {c: un.get(c, Mesures()).plus(mesures, -1) for c, mesures in autre.items()}
    return {cellule: ecart for cellule, ecart in ecarts.items() if any(ecart)}


def au_mois(sommes: Sommes, par: tuple[str, ...]) -> Sommes:
    """The same with the first day of its month for each day, the columns being `par`."""
    rang = par.index("jour")
    reunies: Sommes = {}
    for cle, mesures in sommes.items():
        du_mois = (*cle[:rang], cle[rang].replace(day=1), *cle[rang + 1 :])
        reunies[du_mois] = reunies.get(du_mois, Mesures()).plus(mesures)
    return reunies


def reunies(sommes: Sommes) -> Mesures:
    """The measures of all values, together."""
    return functools.reduce(Mesures.plus, sommes.values(), Mesures())


def _mesures(ligne: Any) -> Mesures:
    if ligne.date_resolution is None:
        return Mesures(1)
    return Mesures(1, 1, max(int((ligne.date_resolution - ligne.date_creation).total_seconds()), 0))


def _jour(moment: datetime) -> date:
    """The date of this moment in the campus time zone."""
    return moment.astimezone(settings.TIME_ZONE_CAMPUS).date()
