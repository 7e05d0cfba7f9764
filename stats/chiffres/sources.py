"""Sources of numbers of one shape: the stored counters for staff, a person's own reports for anyone else."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.utils.functional import cached_property

from signalements import effectifs
from signalements.colonnes import Ligne
from signalements.effectifs import Cellule, Compteurs, Mesures, Reserves, Sommes, additionner
from signalements.lectures import effectifs as compter
from signalements.lectures import les_siens_comptables, les_siens_comptes
from signalements.vocabulaire import TOUJOURS, Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.lectures import Demande, Passage, ensemble
from socle.domaine.temps import debut_du_jour, fin_du_jour, jour_du_campus

RECENTS = 7  # days
# Axes whose counters have no day.
_SANS_JOUR = (Axe.TOUT, Axe.GESTIONNAIRE)
# Axes whose cells have the day of creation, and the place of each dimension among the groups of `DeSoi`.
_PAR_CREATION = (Axe.JOUR, Axe.STATUT, Axe.PRIORITE, Axe.MODE, Axe.SOURCE)
_GROUPEES = {"statut": 0, "type": 1, "priorite": 2, "mode": 3, "source": 4}
_RIEN = Mesures()


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


class Question(NamedTuple):
    """The measures of this axis's cells that the filter admits, summed by these columns."""

    axe: Axe
    par: tuple[str, ...]
    filtre: Filtre


class Source(ABC):
    portee: str

    def __init__(self) -> None:
        self._lues: dict[Any, list[Any]] = {}

    @abstractmethod
    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> Sommes:
        """Answer a `Question`."""

    @abstractmethod
    def des_recents(self, type_: str | None) -> Question:
        """What `recents` asks."""

    @abstractmethod
    def recents(self, type_: str | None) -> int:
        """Reports of the last RECENTS days of the campus, this one included; of a type, where one is given."""

    @abstractmethod
    def prelire(self, *questions: Question, avec: Iterable[Passage] = ()) -> list[list[Any]]:
        """Read what these questions will ask, and what these reads ask, in one round trip; return the latter's rows."""

    @abstractmethod
    def _cle(self, question: Question) -> Any:
        """What one read answers: the key of its rows."""

    @abstractmethod
    def _demande(self, question: Question) -> Demande:
        """The read that answers the question."""

    def _lignes(self, question: Question) -> list[Any]:
        cle = self._cle(question)
        if cle not in self._lues:
            self._lues[cle] = self._demande(question).lignes()
        return self._lues[cle]


class DeTous(Source):
    """The counters, and the reserved reports that this person of the team may read, which they do not hold."""

    portee = "GLOBALE"

    def __init__(self, acteur: Acteur) -> None:
        super().__init__()
        self._reserves = Reserves(acteur)

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> Sommes:
        lues = effectifs.sommes(self._lignes(Question(axe, par, filtre)))
        for cle, mesures in self._reserves.sommes(axe, par, **filtre.conditions(axe)).items():
            lues[cle] = lues.get(cle, _RIEN).plus(mesures)
        return {cle: mesures for cle, mesures in lues.items() if mesures.nombre}

    def prelire(self, *questions: Question, avec: Iterable[Passage] = ()) -> list[list[Any]]:
        """Questions by one column each, to the same cells, are one read."""
        groupes: dict[Any, list[Question]] = {}
        for question in dict.fromkeys(map(self._cle, questions)):
            axe, par, filtre = question
            groupes.setdefault((axe, filtre, par if len(par) > 1 else "une colonne"), []).append(question)
        passages = [self._passage(groupe) for groupe in groupes.values()]
        lues = ensemble(*passages, self._reserves.passage(), *avec)
        for groupe, lignes in zip(groupes.values(), lues, strict=False):
            self._ranger(groupe, lignes)
        reserves, *autres = lues[len(passages) :]
        self._reserves.accueillir(reserves)
        return autres

    def des_recents(self, type_: str | None) -> Question:
        return Question(Axe.JOUR, ("type",), Filtre(debut=_premier_des_recents(), type=type_))

    def recents(self, type_: str | None) -> int:
        axe, par, filtre = self.des_recents(type_)
        return sum(mesures.nombre for mesures in self.lire(axe, *par, filtre=filtre).values())

    def _cle(self, question: Question) -> Question:
        axe, par, filtre = question
        if "jour" not in par and not filtre.a_des_jours and axe != Axe.GESTIONNAIRE:
            return question._replace(axe=Axe.TOUT)  # the same sums, from fewer cells
        return question

    def _demande(self, question: Question) -> Demande:
        axe, par, filtre = self._cle(question)
        return compter(par, axe=axe, **filtre.conditions(axe))

    def _passage(self, groupe: list[Question]) -> Passage:
        """What reads these questions to the same cells; one, or several by one column each."""
        premiere, *autres = groupe
        if not autres:
            return self._demande(premiere).toutes()
        colonnes = tuple(colonne for question in groupe for colonne in question.par)
        return self._demande(premiere._replace(par=colonnes)).par_chacune()

    def _ranger(self, groupe: list[Question], lignes: list[Any]) -> None:
        if len(groupe) == 1:
            self._lues[groupe[0]] = lignes
            return
        de_chacune: list[list[Any]] = [[] for _question in groupe]
        for ligne in lignes:
            for valeur, siennes in zip(ligne, de_chacune, strict=False):
                if valeur is not None:  # one alone
                    siennes.append((valeur, *ligne[-3:]))
        self._lues.update(zip(groupe, de_chacune, strict=True))


class DeSoi(Source):
    """Source computed from one actor's reports, which an index finds: a person has few."""

    portee = "PERSONNELLE"

    def __init__(self, acteur: Acteur) -> None:
        super().__init__()
        self._acteur = acteur

    def lire(self, axe: Axe, *par: str, filtre: Filtre) -> Sommes:
        sommes: Sommes = {}
        if axe in _PAR_CREATION and set(par) <= _GROUPEES.keys():
            rangs = [_GROUPEES[nom] for nom in par]
            source = str(self._acteur.source)  # an owner sees the true kind of all that is theirs
            for *valeurs, nombre, resolus, secondes, _recents in self._lignes(Question(axe, par, filtre)):
                valeurs.append(source)
                cle = tuple([valeurs[rang] for rang in rangs])
                deja = sommes.get(cle, _RIEN)
                sommes[cle] = Mesures(deja[0] + nombre, deja[1] + resolus, deja[2] + secondes)
            return sommes
        for cellule, mesures in self._cellules.items():
            if cellule.axe == axe and filtre.admet(cellule):
                cle = tuple(getattr(cellule, nom) for nom in par)
                sommes[cle] = sommes.get(cle, _RIEN).plus(mesures)
        return sommes

    def prelire(self, *questions: Question, avec: Iterable[Passage] = ()) -> list[list[Any]]:
        posees = {self._cle(question): question for question in questions}
        lues = ensemble(*(self._demande(question).toutes() for question in posees.values()), *avec)
        self._lues.update(zip(posees, lues, strict=False))
        return lues[len(posees) :]

    def des_recents(self, type_: str | None) -> Question:
        return Question(Axe.JOUR, ("type",), Filtre(type=type_))

    def recents(self, type_: str | None) -> int:
        return sum(ligne[-1] for ligne in self._lignes(self.des_recents(type_)))

    def _cle(self, question: Question) -> Filtre:
        return question.filtre

    def _demande(self, question: Question) -> Demande:
        """The sums by the values of `_GROUPEES`, made by the database: one for all questions of a filter."""
        filtre = question.filtre
        depuis = None if filtre.debut is None else debut_du_jour(filtre.debut)
        avant = None if filtre.fin is None else fin_du_jour(filtre.fin)
        recents = debut_du_jour(_premier_des_recents())
        return les_siens_comptes(self._acteur, depuis, avant, filtre.type, recents)

    @cached_property
    def _cellules(self) -> Compteurs:
        siens = map(Ligne._make, les_siens_comptables(self._acteur).lignes())
        return additionner(siens, vu_par=self._acteur)


def _premier_des_recents() -> date:
    return jour_du_campus() - timedelta(days=RECENTS - 1)


def source_pour(acteur: Acteur) -> Source:
    """DeTous for an actor with STATS_CONSULTER_GLOBALES, else DeSoi."""
    return DeTous(acteur) if acteur.peut(Droit.STATS_CONSULTER_GLOBALES) else DeSoi(acteur)
