from django.db import migrations

from socle.domaine.migrations import DesLInstallation


def creer(apps, schema_editor):
    apps.get_model("realtime", "CompteurEvenements").objects.get_or_create(pk=1)


class Migration(migrations.Migration):
    dependencies = [("realtime", "0002_compteur")]

    operations = [DesLInstallation(creer, migrations.RunPython.noop)]
