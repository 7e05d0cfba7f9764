"""Outcome of a transaction: known, or not, where its commit was sent and nothing came back."""

from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
from psycopg.waiting import Ready, Wait

T = TypeVar("T")
VERDICT_SECONDES = 1.0  # for the server to say what became of a commit that it was asked to leave
_COUPEE = "57P"  # the SQLSTATEs of a server that stops: it may have written the commit before


class IssueInconnue(psycopg.OperationalError):
    """The commit was sent and the connection is lost: what it would have kept may be kept."""


def est_inconnue(panne: BaseException) -> bool:
    """True where the answer to a commit says nothing of it: a lost connection, a server that stops."""
    return isinstance(panne, psycopg.Error) and (panne.sqlstate or _COUPEE).startswith(_COUPEE)


def reprenable(attente: Generator[Wait, Ready, T]) -> Generator[Wait, Any, T]:
    """The same waits, which may be gone on with after a timeout: whoever starts anew is told the wait in hand."""
    voulu = next(attente)
    while True:
        pret = yield voulu
        if pret is not None:
            try:
                voulu = attente.send(pret)
            except StopIteration as fin:
                rendu: T = fin.value
                return rendu
