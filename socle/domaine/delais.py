"""How long the database may keep a thread: a limit for each statement, and a deadline for all that a request asks."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection as connexion_courante

SERVEUR_SECONDES = 15  # statement_timeout: the server itself gives up first, and says why
SQL_SECONDES = 16.0
REQUETE_SECONDES = 16.0  # of a thread, for one request
REPONSE_SECONDES = 19.0  # from the body's arrival to an answer, whatever hangs
_AU_MOINS = 0.1  # past the deadline a rollback still gets a chance

_echeance: ContextVar[float] = ContextVar("echeance", default=math.inf)


@contextmanager
def echeance(secondes: float) -> Iterator[None]:
    """Let everything that the block asks the database end within this time; within an earlier deadline, by that one."""
    jeton = _echeance.set(min(_echeance.get(), time.monotonic() + secondes))
    try:
        yield
    finally:
        _echeance.reset(jeton)


def reste(limite: float) -> float:
    """Seconds that a wait may take now; infinite limits and deadlines are a day."""
    return min(max(min(limite, _echeance.get() - time.monotonic()), _AU_MOINS), 86_400.0)


def accorder(secondes: int, connexion: Any = connexion_courante) -> None:
    """PostgreSQL: give each statement this long, 0 being all it takes, here and on the server.

    Inside a transaction it holds to its end, outside (in a command) for the connection's life.
    """
    if connexion.vendor != "postgresql":
        return
    locale = connexion.in_atomic_block
    with connexion.cursor() as curseur:
        curseur.execute(f"SET {'LOCAL ' if locale else ''}statement_timeout = '{secondes}s'")
    limite = secondes + 1.0 if secondes else math.inf
    connexion.connection.accorder(limite, pour_la_transaction=locale)
