"""Trigram index on the search text of a table, on PostgreSQL; SQLite scans its small tables."""

from typing import Any

from socle.domaine.migrations import DesLInstallation


def index_de_recherche(table: str) -> DesLInstallation:
    """A migration operation: index `recherche` of this table for `contains`."""

    def creer(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            schema_editor.execute(f"CREATE INDEX {table}_recherche ON {table} USING gin (recherche gin_trgm_ops)")

    def retirer(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP INDEX IF EXISTS {table}_recherche")

    return DesLInstallation(creer, retirer)
