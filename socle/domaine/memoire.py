"""Memory, for some seconds, of rows that change once a year: a hot route reads nothing for them."""

import time
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import transaction

T = TypeVar("T")
FRAICHEUR = 10.0  # seconds after which another process's change is read here

# Those of the whole service, for its tests.
MEMOIRES: list["Memoire[Any]"] = []


class _Lu(NamedTuple, Generic[T]):
    jusqu_a: float  # monotonic
    valeur: T


class Memoire(Generic[T]):
    """The answer of `lire`, as it was at most FRAICHEUR ago."""

    def __init__(self, lire: Callable[[], T]) -> None:
        self._lire = lire
        self._lu: _Lu[T] | None = None
        MEMOIRES.append(self)

    def __call__(self) -> T:
        lu, maintenant = self._lu, time.monotonic()
        if lu is None or lu.jusqu_a < maintenant:
            lu = self._lu = _Lu(maintenant + FRAICHEUR, self._lire())
        return lu.valeur

    def oublier(self) -> None:
        """Have this process read again: now, for the transaction that changes them, and once it has committed."""
        self.vider()
        transaction.on_commit(self.vider)

    def vider(self) -> None:
        self._lu = None
