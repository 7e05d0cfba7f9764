"""The index that answers which events overlap a period, wherever in time; SQLite scans its small table."""

from django.db import migrations

from socle.domaine.migrations import DesLInstallation


def creer(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE INDEX evenement_periode ON calendrier_evenementcampus USING gist (tstzrange(date_debut, date_fin))"
        )


def retirer(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS evenement_periode")


class Migration(migrations.Migration):
    dependencies = [("calendrier", "0002_recherche")]
    operations = [DesLInstallation(creer, retirer)]
