"""The registry of examinations, and how all are run at once: one that hangs or crashes spoils no other."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from django.db import Error as ErreurDeBase
from django.db import connections

from socle.moteur.delais import echeance

LIMITE = 10.0  # seconds


class Gravite(IntEnum):
    """Severity of a finding; the worst of all is the status that the command exits with."""

    OK = 0
    ATTENTION = 1
    PANNE = 2

    @property
    def mot(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Constat:
    """One line of the page: what is so, and what to do about it."""

    etat: Gravite
    constat: str
    remede: str = ""


def bien(constat: str) -> Constat:
    return Constat(Gravite.OK, constat)


def attention(constat: str, remede: str) -> Constat:
    return Constat(Gravite.ATTENTION, constat, remede)


def panne(constat: str, remede: str) -> Constat:
    return Constat(Gravite.PANNE, constat, remede)


@dataclass(frozen=True)
class Examine:
    nom: str
    constats: tuple[Constat, ...]
    secondes: float

    @property
    def etat(self) -> Gravite:
        return max(un.etat for un in self.constats)


Examen = Callable[[], Iterable[Constat]]
# Name of one word, as the page and the JSON show it -> the function that looks.
examens: dict[str, Examen] = {}


def examen(nom: str) -> Callable[[Examen], Examen]:
    """Register an examination under this name."""

    def inscrire(fonction: Examen) -> Examen:
        examens[nom] = fonction
        return fonction

    return inscrire


def examiner(choisis: dict[str, Examen], limite: float = LIMITE) -> list[Examine]:
    """Run these at once, a daemon thread each, and wait for none of them longer than the limit."""
    en_cours = [_EnCours(nom, examen, limite) for nom, examen in choisis.items()]
    return [un.attendre() for un in en_cours]


class _EnCours:
    def __init__(self, nom: str, examen: Examen, limite: float) -> None:
        self._nom, self._examen, self._limite = nom, examen, limite
        self._debut = time.monotonic()
        self._rendu: Examine | None = None
        self._fil = threading.Thread(target=self._faire, name=f"examen-{nom}", daemon=True)
        self._fil.start()

    def attendre(self) -> Examine:
        self._fil.join(max(0.0, self._debut + self._limite - time.monotonic()))
        return self._rendu or self._rendre([_en_retard(self._limite)])

    def _faire(self) -> None:
        try:
            with echeance(self._limite):
                self._rendu = self._rendre(_constats(self._examen))
        finally:
            connections.close_all()

    def _rendre(self, constats: list[Constat]) -> Examine:
        return Examine(self._nom, tuple(constats), time.monotonic() - self._debut)


def _constats(examen: Examen) -> list[Constat]:
    """Run an examination; of one that raises, say the class of its error, as its text may hold a secret."""
    try:
        return list(examen()) or [bien("Rien à signaler.")]
    except ErreurDeBase as erreur:
        return [panne(f"La base n'a pas permis cet examen ({type(erreur).__name__}).", "Voyez « base » et « schema ».")]
    except Exception as erreur:
        remede = "Relancez ; si cela dure, c'est un défaut du service : signalez-le avec ce nom."
        return [panne(f"L'examen lui-même a échoué ({type(erreur).__name__}).", remede)]


def _en_retard(limite: float) -> Constat:
    remede = "Quelque chose accepte et ne répond pas : regardez ce serveur, ou le réseau jusqu'à lui."
    return panne(f"Pas de réponse en {limite:.0f} secondes.", remede)


def du_pire_au_meilleur(examines: Iterable[Examine]) -> Iterator[tuple[str, Constat]]:
    """Each line with the name of its examination: what is broken first, then as registered."""
    lignes = [(un.nom, constat) for un in examines for constat in un.constats]
    yield from sorted(lignes, key=lambda ligne: -ligne[1].etat)
