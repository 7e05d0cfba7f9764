from django.db import migrations


def creer(apps, schema_editor):
    apps.get_model("realtime", "CompteurEvenements").objects.get_or_create(pk=1)


class Migration(migrations.Migration):
    dependencies = [("realtime", "0002_compteur")]

    operations = [migrations.RunPython(creer, migrations.RunPython.noop)]
