"""SQL expressions that Django lacks: the place of a value, a word written out, a column among keys, a version."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import models
from django.db.models import Expression, Subquery, Value


class Place(NamedTuple):
    """Place of a value among the parameters of a statement."""

    nom: str
    champ: models.Field[Any, Any]


class Mot(Value):
    """A word of ours, written out in the statement: by a list of parameters SQLite proves no partial index."""

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "'" + str(self.value).replace("'", "''").replace("%", "%%") + "'", ()


class Cles(models.UUIDField[Any, Any]):
    """A list of keys as one value: an array on PostgreSQL, JSON on SQLite."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if connection.features.has_native_uuid_field:
            return list(value)
        return json.dumps([cle.hex for cle in value])


class Parmi(Expression):
    """Condition: the column is among the keys of the place, however many they are."""

    output_field = models.BooleanField()
    conditional = True

    def __init__(self, colonne: Any, nom: str) -> None:
        super().__init__()
        self.colonne, self.nom = colonne, nom

    def get_source_expressions(self) -> list[Any]:
        return [self.colonne]

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        (self.colonne,) = exprs

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        colonne, parametres = compiler.compile(self.colonne)
        liste = "= ANY(%s)" if connection.vendor == "postgresql" else "IN (SELECT value FROM json_each(%s))"
        return f"{colonne} {liste}", (*parametres, Place(self.nom, Cles()))


class ParmiCes(Parmi):
    """Condition: the column is among these keys, sent as one value: the planner knows how many they are."""

    def __init__(self, colonne: Any, cles: Any) -> None:
        """`cles`: a sequence of UUIDs, or the placeholder of one in a prepared read."""
        super().__init__(colonne, getattr(cles, "nom", ""))
        self.cles = cles

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        texte, parametres = super().as_sql(compiler, connection)
        if isinstance(self.cles, Expression):
            return texte, parametres
        return texte, (*parametres[:-1], Cles().get_db_prep_value(self.cles, connection))


class ParmiCellesDe(Expression):
    """Condition: the column is among the keys that a query selects, which are read first, whatever the rest would cost.

    As a join, PostgreSQL may scan a million rows for the few that some thousands of keys name.
    """

    output_field = models.BooleanField()
    conditional = True

    def __init__(self, colonne: Any, cles: Any) -> None:
        super().__init__()
        self.colonne, self.cles = colonne, Subquery(cles)

    def get_source_expressions(self) -> list[Any]:
        return [self.colonne, self.cles]

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        self.colonne, self.cles = exprs

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        colonne, parametres = compiler.compile(self.colonne)
        cles, les_leurs = compiler.compile(self.cles)
        liste = f"= ANY(ARRAY{cles})" if connection.vendor == "postgresql" else f"IN {cles}"
        return f"{colonne} {liste}", (*parametres, *les_leurs)


class NombreDe(Subquery):
    """Number of rows of a query, as a column: 0 where it has none."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS lignes)"
    output_field = models.IntegerField()
    empty_result_set_value = 0
