"""What migrations share."""

from typing import Any

from django.db import migrations

from socle.domaine.delais import accorder


def sans_limite_de_temps() -> migrations.RunPython:
    """First operation of a migration whose time grows with a table: a request has 15 s, this has what it takes."""

    def lever(apps: Any, schema_editor: Any) -> None:
        accorder(0, schema_editor.connection)

    return migrations.RunPython(lever, lever, elidable=True)
