"""Database time limits: a timeout for each statement, and a deadline for all the statements of a request."""

import math
import time
from contextvars import ContextVar, Token
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db import connection as connexion_courante

SERVEUR_SECONDES = 15  # statement_timeout: the server itself gives up first, and says why
SQL_SECONDES = 16.0
REQUETE_SECONDES = 16.0  # of a thread, for one request
SONDE_SECONDES = 2.0  # a kept connection that has not answered by then is opened anew
REPONSE_SECONDES = 19.0  # from the body's arrival to an answer, whatever hangs
_AU_MOINS = 0.1  # past the deadline a rollback still gets a chance
_APRES_SECONDES = 2.0  # what was committed is read again, to be answered, however late it is


_echeance: ContextVar[float] = ContextVar("echeance", default=math.inf)


class echeance:
    """Set a deadline on the block's database waits, in this context; an earlier one set outside still holds."""

    def __init__(self, secondes: float) -> None:
        self._secondes = secondes

    def __enter__(self) -> None:
        self._jeton = fixer_echeance(self._secondes)

    def __exit__(self, *_erreur: object) -> None:
        _echeance.reset(self._jeton)


def fixer_echeance(secondes: float) -> Token[float]:
    """Set the same deadline for the rest of this context, which ends with the request."""
    return _echeance.set(min(_echeance.get(), time.monotonic() + secondes))


class Suivi:
    """Of one request: whether something of it is committed, or may be, and whether anything still will."""

    __slots__ = ("_permis", "a_commence", "a_fini", "est_inconnu")

    def __init__(self) -> None:
        self.a_fini = self.est_inconnu = False
        # The ordinary engine asks nobody before it commits: of what it runs, nobody can say that it will not.
        self.a_commence = settings.ORDINAIRE
        self._permis = [] if self.a_commence else [None]  # the first who takes it decides: `pop` is atomic

    def renoncer(self) -> bool:
        """Nothing will be committed any more: False where a commit was begun before."""
        return bool(self._permis) and self._prendre()

    def commencer(self) -> bool:
        """A commit is begun: False where it was given up before."""
        self.a_commence = self.a_commence or self._prendre()
        return self.a_commence

    def _prendre(self) -> bool:
        try:
            self._permis.pop()
        except IndexError:
            return False
        return True


_suivi: ContextVar[Suivi | None] = ContextVar("suivi", default=None)


def suivre(suivi: Suivi | None = None) -> None:
    """Follow the commits of the rest of this context."""
    _suivi.set(suivi or Suivi())


def commencer_une_fin() -> None:
    """Before a commit: OperationalError where whoever asked was told that nothing is done."""
    suivi = _suivi.get()
    if suivi is not None and not suivi.commencer():
        raise OperationalError("given up: nothing is committed any more")


def noter_une_fin() -> None:
    """A transaction of this context is committed: the reads that answer it get some time, whatever the deadline."""
    suivi = _suivi.get()
    if suivi is not None:
        suivi.a_fini = True
        _echeance.set(max(_echeance.get(), time.monotonic() + _APRES_SECONDES))


def noter_une_fin_inconnue() -> None:
    """A commit of this context was sent, and nothing came back."""
    suivi = _suivi.get()
    if suivi is not None:
        suivi.est_inconnu = True


def peut_avoir_fini() -> bool:
    """True once a transaction of this context is committed, or may be: with the ordinary engine, which says nothing
    of it, wherever one is followed.
    """
    suivi = _suivi.get()
    return suivi is not None and (suivi.a_fini or suivi.est_inconnu or settings.ORDINAIRE)


def reste(limite: float) -> float:
    """Seconds that a wait may take now: the lesser of limit and deadline, clamped between 0.1 s and a day."""
    return min(max(min(limite, _echeance.get() - time.monotonic()), _AU_MOINS), 86_400.0)


def accorder(secondes: int, connexion: Any = connexion_courante) -> None:
    """Set statement_timeout and its client-side twin, 0 being no limit; PostgreSQL alone.

    Inside a transaction it holds to its end, outside (in a command) for the connection's life.
    """
    if connexion.vendor != "postgresql":
        return
    locale = connexion.in_atomic_block
    with connexion.cursor() as curseur:
        curseur.execute(f"SET {'LOCAL ' if locale else ''}statement_timeout = '{secondes}s'")
    if settings.ORDINAIRE:  # whose connection has no limit of its own
        return
    limite = secondes + 1.0 if secondes else math.inf
    connexion.connection.accorder(limite, pour_la_transaction=locale)
