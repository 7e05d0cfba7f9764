"""Requests let in on what is known of who asks, which is looked at before anything of them is handed out (`portes`).

What leaves by another way than the request's own connection (a limit, the register) asks `exiger_franchie` first.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from socle.postgresql.rafale import Dit, Lignes, PorteFermee


class _DuFil(threading.local):
    essai: "Essai | None" = None


_du_fil = _DuFil()


class Essai:
    """Context manager around a request that only reads: within it, `portes.premiere` may presume the row of a door.

    At its end `tient` is False where that row was not found as presumed, or not found out: what the block has answered
    must not leave, nor what it raised.
    """

    __slots__ = ("_attendues", "_connexion", "_oublier", "_pilote", "peut_presumer", "tient")

    def __init__(self) -> None:
        self.tient = True
        # Of one row alone; and nothing once the request has done what would be done twice if it began again.
        self.peut_presumer = True
        self._connexion: Any = None

    def __enter__(self) -> "Essai":
        _du_fil.essai = self
        return self

    def __exit__(self, _classe: object, erreur: BaseException | None, _trace: object) -> bool:
        est_tenu = False
        try:
            est_tenu = self.conclure()
        finally:
            _du_fil.essai = None
            if self._connexion is not None:
                self._pilote.rafale.ouvrir()
                if not est_tenu:
                    self._oublier()
                    self._connexion.health_check_done = False  # the door will look to it
        return not est_tenu and isinstance(erreur, Exception)

    def presumer(self, connexion: Any, dit: Dit, attendues: Lignes, oublier: Callable[[], None]) -> None:
        """Have the connection look for these rows before whatever it is asked next; `oublier` where they are others."""
        self.tient = self.peut_presumer = False
        self._connexion, self._attendues, self._oublier = connexion, attendues, oublier
        connexion.health_check_done = True
        self._pilote = connexion.connection
        self._pilote.rafale.faire_preceder(dit, self._juger)

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
    """Have it known now who asks, and presume nobody afterwards: PorteFermee where it is not who was presumed."""
    if _du_fil.essai is not None:
        _du_fil.essai.peut_presumer = False
        if not _du_fil.essai.conclure():
            raise PorteFermee
