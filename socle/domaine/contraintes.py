"""Constraints that Django makes on one database alone."""

from typing import Any

from django.db import models


class UniqueCouvrante(models.UniqueConstraint):
    """A unique constraint whose index also holds the columns of `include`, so that counting by it reads no row.

    Where an index holds no other columns (SQLite), the same constraint without them, instead of none: Django's warning
    of it (models.W039) is silenced in the settings.
    """

    def _sur(self, connexion: Any) -> Any:
        if connexion.features.supports_covering_indexes:
            return super()
        return models.UniqueConstraint(fields=self.fields, condition=self.condition, name=self.name)

    def constraint_sql(self, model: Any, schema_editor: Any) -> None:  # type: ignore[override]
        """None: on each database it is an index of its own, made once the table is there."""
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))

    def create_sql(self, model: Any, schema_editor: Any) -> Any:
        return self._sur(schema_editor.connection).create_sql(model, schema_editor)

    def remove_sql(self, model: Any, schema_editor: Any) -> Any:
        return self._sur(schema_editor.connection).remove_sql(model, schema_editor)
