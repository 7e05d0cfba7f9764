"""Conditions that Django has no words for."""

from typing import Any

from django.db import models
from django.db.models import BooleanField, Func, Subquery


class ParmiLues(Func):
    """The column is among the keys that these rows have: `IN`, which PostgreSQL is told as a list.

    Beside an OR it would otherwise read the table whole; a list it looks up by the index of the column.
    """

    output_field = BooleanField()
    arg_joiner = " IN "
    template = "%(expressions)s"

    def __init__(self, colonne: str, cles: models.QuerySet[Any, Any]) -> None:
        super().__init__(colonne, Subquery(cles))

    def as_postgresql(self, compiler: Any, connection: Any, **autres: Any) -> Any:
        return self.as_sql(compiler, connection, arg_joiner=" = ANY(ARRAY", template="%(expressions)s)", **autres)
