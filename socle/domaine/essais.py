"""Requests let in on what is known of who asks, which is looked at before anything of them is handed out (`portes`).

What leaves by another way than the request's own connection (a limit, the register) asks `exiger_franchie` first.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from socle.postgresql.rafale import Lignes, Ordre, PorteFermee


class _DuFil(threading.local):
    essai: "Essai | None" = None


_du_fil = _DuFil()


class Essai:
    """Context manager around a request that only reads: within it, `portes.premiere` may presume the row of a door.

    At its end `tient` is False where that row was not found as presumed, or not found out: what the block has answered
    must not leave, nor what it raised.
    """

    __slots__ = ("_attendues", "_connexion", "_oublier", "_pilote", "tient")

    def __init__(self) -> None:
        self.tient = True
        self._connexion: Any = None

    def __enter__(self) -> "Essai":
        _du_fil.essai = self
        return self

    def __exit__(self, _classe: object, erreur: BaseException | None, _trace: object) -> bool:
        try:
            est_tenu = self.conclure()
        finally:
            _du_fil.essai = None
            if self.a_presume:
                self._pilote.rafale.ouvrir()
        if est_tenu:
            return False
        self._oublier()
        self._connexion.health_check_done = False  # the door will look to it
        if self._connexion.connection is not self._pilote:  # one that was opened meanwhile is not fully set up
            self._connexion.close()
        return isinstance(erreur, Exception)

    @property
    def a_presume(self) -> bool:
        """True once a row was: the connection looks for one at a time."""
        return self._connexion is not None

    def presumer(self, connexion: Any, ordre: Ordre, attendues: Lignes, oublier: Callable[[], None]) -> None:
        """Have the connection look for these rows before whatever it is asked next; `oublier` where they are others."""
        self.tient = False
        self._connexion, self._attendues, self._oublier = connexion, attendues, oublier
        connexion.health_check_done = True
        self._pilote = connexion.connection
        self._pilote.rafale.faire_preceder(ordre, self._juger)

    def conclure(self) -> bool:
        """Look now, where nothing was asked since; True where the rows are as presumed, or nothing was."""
        if not self.tient:
            # Whatever goes wrong here goes wrong at the door as well, which says so.
            with suppress(Exception), self._connexion.wrap_database_errors:
                self._pilote.rafale.franchir()
        return self.tient

    def _juger(self, lignes: Lignes) -> bool:
        self.tient = lignes == self._attendues
        return self.tient


def essai_en_cours() -> Essai | None:
    """That of this thread's request."""
    return _du_fil.essai


def est_franchie() -> bool:
    """False where this thread's request was let in by a presumption that is false, or that nothing confirms."""
    return _du_fil.essai is None or _du_fil.essai.conclure()


def exiger_franchie() -> None:
    """Have it known now who asks: PorteFermee where it is not who was presumed."""
    if not est_franchie():
        raise PorteFermee
