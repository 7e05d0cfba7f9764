"""A change that is wanted of one state alone: judged once, when the row that it changes has just been locked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID


class Condition:
    """`juger` raises where the row is no more as its caller has read it.

    The row is that of this key, or the one that a merge joined it to; without a key, the first that is locked.
    """

    def __init__(self, juger: Callable[[], None], cle: UUID | None) -> None:
        self.juger, self.cle, self.est_jugee = juger, cle, False

    def concerne(self, ligne: Any) -> bool:
        return self.cle is None or ligne.pk == self.cle or hasattr(ligne, "absorbe_par_id")


_en_cours: ContextVar[Condition | None] = ContextVar("condition", default=None)


@contextmanager
def sous_condition(condition: Condition) -> Iterator[None]:
    """Set the condition of what is changed in this context while the block runs."""
    jeton = _en_cours.set(condition)
    try:
        yield
    finally:
        _en_cours.reset(jeton)


def est_tenue(ligne: Any) -> None:
    """Judge the condition that waits for this row, if one does; call with its lock held, before it is written to."""
    condition = _en_cours.get()
    if condition is not None and not condition.est_jugee and condition.concerne(ligne):
        condition.est_jugee = True
        condition.juger()
