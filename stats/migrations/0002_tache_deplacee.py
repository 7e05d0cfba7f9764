"""Exports that wait in the queue name the task where it is now."""

from django.db import migrations

AVANT, APRES = "stats.taches.ecrire_export", "stats.exports.taches.ecrire_export"


def _renommer(apps, avant, apres):
    apps.get_model("django_tasks_database", "DBTaskResult")._base_manager.filter(task_path=avant).update(task_path=apres)


def deplacer(apps, schema_editor):
    _renommer(apps, AVANT, APRES)


def revenir(apps, schema_editor):
    _renommer(apps, APRES, AVANT)


class Migration(migrations.Migration):
    dependencies = [("stats", "0001_exports"), ("django_tasks_database", "0001_initial")]
    operations = [migrations.RunPython(deplacer, revenir, elidable=True)]
