"""What migrations share."""

from typing import Any

from django.db import migrations


def sans_limite_de_temps() -> migrations.RunPython:
    """First operation of a migration whose time grows with a table: a request has 15 s, this has what it takes."""

    def lever(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute("SET LOCAL statement_timeout = 0")

    return migrations.RunPython(lever, lever, elidable=True)
