from typing import Any

from django.db import migrations

from socle.audit import protection
from socle.domaine.migrations import DesLInstallation


def poser(apps: Any, schema_editor: Any) -> None:
    protection.poser(schema_editor.connection)


def lever(apps: Any, schema_editor: Any) -> None:
    protection.lever(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_registre")]
    operations = [DesLInstallation(poser, lever)]
