"""Migration operations shared by the apps."""

from typing import Any

from django.db import migrations

from socle.domaine.delais import accorder


class DesLInstallation(migrations.RunPython):
    """RunPython that a new base runs too, on the final models: what no model declares (an index by hand, a first row).

    `config/installation.py` skips every other RunPython: it rewrites rows, and a new base has none.
    """


def sans_limite_de_temps() -> migrations.RunPython:
    """Operation that lifts statement_timeout (15 s), first in a migration whose time grows with a table."""

    def lever(apps: Any, schema_editor: Any) -> None:
        accorder(0, schema_editor.connection)

    return migrations.RunPython(lever, lever, elidable=True)
