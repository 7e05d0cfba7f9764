"""Reads of any length in lots: a bounded number of rows in memory, a number of queries that grows by lots alone."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

LOT = 500


def par_lots(lignes: QuerySet[Any]) -> Iterator[list[Any]]:
    """Read the keys first, then the rows of LOT keys at a time, in their order."""
    cles = list(lignes.select_related(None).prefetch_related(None).values_list("pk", flat=True))
    for debut in range(0, len(cles), LOT):
        yield list(lignes.filter(pk__in=cles[debut : debut + LOT]))


def une_a_une(lignes: QuerySet[Any]) -> Iterator[Any]:
    for lot in par_lots(lignes):
        yield from lot
