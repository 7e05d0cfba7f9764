from collections.abc import Iterable
from typing import TypeVar

from resources.models import EntreeDAide

E = TypeVar("E", bound=EntreeDAide)


def dans_la_langue(entrees: Iterable[E], langue: str) -> list[E]:
    """Keep the entries of this language and those of none, in their order; all of them where it has none of its own."""
    toutes = list(entrees)
    if not any(une.langue == langue for une in toutes):
        return toutes
    return [une for une in toutes if une.langue in ("", langue)]
