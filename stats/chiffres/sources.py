"""Sources of numbers of one shape: the stored counters for staff, a person's own reports for anyone else."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.functional import cached_property

from equipes.lectures import noms_des_equipes
from signalements.comptees import Ligne
from signalements.compteurs.cellules import Cellule, Compteurs, Mesures, Sommes, additionner, au_mois, reunies
from signalements.compteurs.lectures import effectifs as compter
from signalements.compteurs.lectures import nombres, sommes
from signalements.compteurs.reserves import Reserves
from signalements.lectures import les_siens_comptables, les_siens_comptes
from signalements.vocabulaire import AU_MOIS, TOUJOURS, Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.temps import debut_du_jour, fin_du_jour, jour_du_campus
from socle.moteur.lectures import LectureRemplie, Passage, ensemble
from stats.vocabulaire import PETITES_AVEC_EQUIPES, Portee

RECENTS = 7  # days
# Axes whose counters have no day.
_SANS_JOUR = (Axe.TOUT, Axe.GESTIONNAIRE)
# Axes whose cells have the day of creation, and the column of a report that each of their dimensions is.
_PAR_CREATION = (Axe.JOUR, Axe.STATUT, Axe.PRIORITE, Axe.MODE, Axe.SOURCE)
_GROUPEES = {"statut": "statut", "priorite": "priorite", "type": "type", "mode": "mode_identification"}
_RIEN = Mesures()


class Filtre(NamedTuple):
    """Days of the campus, both included, and a type; None does not limit."""

    debut: date | None = None
    fin: date | None = None
    type: str | None = None

    @property
    def a_des_jours(self) -> bool:
        return self.debut is not None or self.fin is not None

    def est_en_mois_entiers(self, aujourd_hui: date) -> bool:
        """True where it admits all days of each month that it admits one of; no report has a day that is to come."""
        commence = self.debut is None or self.debut.day == 1
        return commence and (self.fin is None or self.fin >= aujourd_hui or (self.fin + timedelta(days=1)).day == 1)

    def conditions(self, axe: Axe) -> dict[str, Any]:
        """The filter as look-ups on the counters of this axis."""
        voulues: dict[str, Any] = {} if self.type is None else {"type": self.type}
        if axe not in _SANS_JOUR:
            voulues |= {} if self.debut is None else {"jour__gte": self.debut}
            voulues |= {} if self.fin is None else {"jour__lte": self.fin}
        return voulues

    def admet(self, cellule: Cellule) -> bool:
        if self.type is not None and cellule.type != self.type:
            return False
        if cellule.jour == TOUJOURS:
            return True
        return (self.debut or cellule.jour) <= cellule.jour <= (self.fin or cellule.jour)


class Question(NamedTuple):
    """The measures of this axis's cells that the filter admits, summed by these columns."""

    axe: Axe
    par: tuple[str, ...]
    filtre: Filtre


class Source(ABC):
    portee: str

    @abstractmethod
    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> Sommes:
        """Answer a `Question`."""

    @abstractmethod
    def recents(self, type_: str | None) -> int:
        """The number of reports of the last RECENTS days of the campus, this one included; after `prelire`."""

    @abstractmethod
    def prelire(
        self, *questions: Question, recents_de: Sequence[str | None] = (), avec: Iterable[Passage] = ()
    ) -> list[list[Any]]:
        """Read in one round trip what these questions and the `recents` of these types will ask, and what `avec` asks.

        Return the rows of `avec`.
        """


def seuil_des_petites(acteur: Acteur) -> int:
    """Number under which a cell is folded for who counts the cases of teams without reading them; 0 for others."""
    return PETITES_AVEC_EQUIPES if not _compte_ce_qu_il_lit(acteur) and noms_des_equipes() else 0


def seuil_des_categories(acteur: Acteur) -> int:
    """Number of SMALL_CELLS_BELOW, or the one that teams bring."""
    return settings.SMALL_CELLS_BELOW or seuil_des_petites(acteur)


def _compte_ce_qu_il_lit(acteur: Acteur) -> bool:
    return not acteur.peut(Droit.STATS_CONSULTER_DE_TOUTES_LES_EQUIPES)


def _portee(acteur: Acteur) -> str:
    return Portee.EQUIPE.value if noms_des_equipes() and _compte_ce_qu_il_lit(acteur) else Portee.GLOBALE.value


class DeTous(Source):
    """The counters, and the reserved reports that this person of the team may read, which they do not hold."""

    def __init__(self, acteur: Acteur) -> None:
        self.portee = _portee(acteur)
        self._reserves = Reserves(acteur)
        self._lecteur = acteur if _compte_ce_qu_il_lit(acteur) else None
        self._lues: dict[Question, Sommes] = {}
        self._recents: dict[str | None, int] = {}

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> Sommes:
        cle = _moins_de_cellules(Question(axe, par, filtre))
        if cle not in self._lues:
            self._lues[cle] = sommes(self._demande(cle).lignes())
        # A change of a month has its day, and what it takes from the month may be all that it holds: summed before any
        # is left out.
        tenues = au_mois(self._lues[cle], par) if axe in AU_MOIS else self._lues[cle]
        if self._reserves.en_a:
            reservees = self._reserves.sommes(axe, par, **filtre.conditions(axe))
            tenues = tenues | {cle: tenues.get(cle, _RIEN).plus(mesures) for cle, mesures in reservees.items()}
        return {cle: mesures for cle, mesures in tenues.items() if mesures[0]}

    def prelire(
        self, *questions: Question, recents_de: Sequence[str | None] = (), avec: Iterable[Passage] = ()
    ) -> list[list[Any]]:
        """Questions by one column each, to the same cells, are one read."""
        groupes: dict[Any, list[Question]] = {}
        for cle in dict.fromkeys(map(_moins_de_cellules, questions)):
            axe, par, filtre = cle
            groupes.setdefault((axe, filtre, par if len(par) != 1 else "une colonne"), []).append(cle)
        passages = [self._passage(groupe) for groupe in groupes.values()]
        recents = [nombres(Axe.JOUR, self._recents_depuis, type_, self._lecteur).somme() for type_ in recents_de]
        lues = ensemble(*passages, *recents, self._reserves.passage(), *avec)
        for groupe, lignes in zip(groupes.values(), lues, strict=False):
            self._lues.update(zip(groupe, _de_ce_groupe(groupe, lignes), strict=True))
        lues = lues[len(passages) :]
        self._recents.update((type_, int(nombre)) for type_, (nombre,) in zip(recents_de, lues, strict=False))
        reserves, *autres = lues[len(recents) :]
        self._reserves.accueillir(reserves)
        return autres

    def recents(self, type_: str | None) -> int:
        tenus = self._recents[type_]
        if not self._reserves.en_a:
            return tenus
        filtre = Filtre(debut=self._recents_depuis, type=type_)
        return tenus + self._reserves.sommes(Axe.JOUR, (), **filtre.conditions(Axe.JOUR)).get((), _RIEN).nombre

    def _demande(self, question: Question) -> LectureRemplie:
        axe, par, filtre = question
        return compter(par, axe=axe, lecteur=self._lecteur, **filtre.conditions(axe))

    def _passage(self, groupe: list[Question]) -> Passage:
        """Read of these questions to the same cells; of one, or of several by one column each."""
        if len(groupe) == 1:
            return self._demande(groupe[0]).toutes()
        axe, _par, filtre = groupe[0]
        return self._demande(Question(axe, tuple([par[0] for _axe, par, _filtre in groupe]), filtre)).par_chacune()

    @cached_property
    def _recents_depuis(self) -> date:
        return _premier_des_recents()


def _moins_de_cellules(question: Question) -> Question:
    """The same sums from fewer cells, where these have them."""
    axe, par, filtre = question
    if "jour" in par or filtre.a_des_jours or axe not in _PAR_CREATION:
        return question
    return Question(Axe.TOUT, par, filtre)


def _de_ce_groupe(groupe: list[Question], lignes: list[Any]) -> list[Sommes]:
    return [sommes(lignes)] if len(groupe) == 1 else _de_chacune(len(groupe), lignes)


def _de_chacune(nombre: int, lignes: list[Any]) -> list[Sommes]:
    """The sums by each of so many columns, from rows where the others are None."""
    parties: list[Sommes] = [{} for _colonne in range(nombre)]
    for ligne in lignes:
        rang = 0
        while ligne[rang] is None:
            rang += 1
        parties[rang][(ligne[rang],)] = Mesures._make(ligne[-3:])
    return parties


class DeSoi(Source):
    """Source computed from one actor's reports, which an index finds: a person has few."""

    portee = "PERSONNELLE"

    def __init__(self, acteur: Acteur) -> None:
        self._acteur = acteur
        self._lues: dict[tuple[Filtre, str], Sommes] = {}
        self._recents_lus: dict[Filtre, int] = {}
        self._recents: dict[str | None, Filtre] = {}

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> Sommes:
        if axe in _PAR_CREATION and len(par) == 1 and par[0] in _GROUPEES:
            return self._par(par[0], filtre)
        if axe in _PAR_CREATION and par == ("source",):
            tous = reunies(self._par("statut", filtre))
            # An owner sees the true kind of all that is theirs.
            return {(str(self._acteur.source),): tous} if tous.nombre else {}
        lues: Sommes = {}
        for cellule, mesures in self._cellules.items():
            if cellule.axe == axe and filtre.admet(cellule):
                cle = tuple(getattr(cellule, nom) for nom in par)
                lues[cle] = lues.get(cle, _RIEN).plus(mesures)
        return lues

    def prelire(
        self, *questions: Question, recents_de: Sequence[str | None] = (), avec: Iterable[Passage] = ()
    ) -> list[list[Any]]:
        """Questions of one filter are one read, with the recent ones of its type where it has no days."""
        voulues: dict[Filtre, set[str]] = {}
        for _axe, par, filtre in questions:
            voulues.setdefault(filtre, set()).update(par)
        for type_ in recents_de:
            tous, derniers = Filtre(type=type_), Filtre(debut=_premier_des_recents(), type=type_)
            self._recents[type_] = tous if tous in voulues else derniers
            voulues.setdefault(self._recents[type_], set())
        # In the order of _GROUPEES, which is that of an index.
        lectures = [(f, tuple([nom for nom in _GROUPEES if nom in noms]) or ("statut",)) for f, noms in voulues.items()]
        lues = ensemble(*[self._demande(*lecture).toutes() for lecture in lectures], *avec)
        for (filtre, colonnes), lignes in zip(lectures, lues, strict=False):
            self._accueillir(filtre, colonnes, lignes)
        return lues[len(lectures) :]

    def recents(self, type_: str | None) -> int:
        return self._recents_lus[self._recents[type_]]

    def _par(self, colonne: str, filtre: Filtre) -> Sommes:
        if (filtre, colonne) not in self._lues:
            self._accueillir(filtre, (colonne,), self._demande(filtre, (colonne,)).lignes())
        return self._lues[filtre, colonne]

    def _accueillir(self, filtre: Filtre, colonnes: tuple[str, ...], lignes: list[Any]) -> None:
        parties: list[Sommes] = [{} for _colonne in colonnes]
        recents = 0
        for ligne in lignes:
            recents += ligne[len(colonnes)]
            mesures = Mesures._make(ligne[-3:])
            for partie, valeur in zip(parties, ligne, strict=False):
                partie[valeur,] = partie[valeur,].plus(mesures) if (valeur,) in partie else mesures
        self._lues.update(zip([(filtre, colonne) for colonne in colonnes], parties, strict=True))
        self._recents_lus[filtre] = recents

    def _demande(self, filtre: Filtre, colonnes: tuple[str, ...]) -> LectureRemplie:
        """Rows of these columns together, then the number of recent ones and the measures."""
        depuis = None if filtre.debut is None else debut_du_jour(filtre.debut)
        avant = None if filtre.fin is None else fin_du_jour(filtre.fin)
        recents_depuis = debut_du_jour(_premier_des_recents())
        par = tuple([_GROUPEES[colonne] for colonne in colonnes])
        return les_siens_comptes(self._acteur, par, depuis, avant, filtre.type, recents_depuis)

    @cached_property
    def _cellules(self) -> Compteurs:
        siens = map(Ligne._make, les_siens_comptables(self._acteur).lignes())
        return additionner(siens, vu_par=self._acteur)


def _premier_des_recents() -> date:
    return jour_du_campus() - timedelta(days=RECENTS - 1)


def source_pour(acteur: Acteur) -> Source:
    """DeTous for an actor with STATS_CONSULTER_GLOBALES, else DeSoi."""
    return DeTous(acteur) if acteur.peut(Droit.STATS_CONSULTER_GLOBALES) else DeSoi(acteur)
