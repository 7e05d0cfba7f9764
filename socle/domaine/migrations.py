"""Migration operations shared by the apps."""

from typing import Any

from django.db import migrations

from socle.domaine.delais import accorder


def sans_limite_de_temps() -> migrations.RunPython:
    """Operation that lifts statement_timeout (15 s), first in a migration whose time grows with a table."""

    def lever(apps: Any, schema_editor: Any) -> None:
        accorder(0, schema_editor.connection)

    return migrations.RunPython(lever, lever, elidable=True)


def taches_deplacees(*, de: str, vers: str) -> migrations.RunPython:
    """Operation that renames the module of queued tasks from `de` to `vers`, where their functions have moved."""

    def renommer(apps: Any, avant: str, apres: str) -> None:
        taches = apps.get_model("django_tasks_database", "DBTaskResult")._base_manager
        for chemin in taches.filter(task_path__startswith=avant).values_list("task_path", flat=True).distinct():
            taches.filter(task_path=chemin).update(task_path=apres + chemin.removeprefix(avant))

    def aller(apps: Any, schema_editor: Any) -> None:
        renommer(apps, f"{de}.", f"{vers}.")

    def revenir(apps: Any, schema_editor: Any) -> None:
        renommer(apps, f"{vers}.", f"{de}.")

    return migrations.RunPython(aller, revenir, elidable=True)
