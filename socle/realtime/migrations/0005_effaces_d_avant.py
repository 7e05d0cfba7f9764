"""Of what was deleted so far nobody knows the channel: it counts for all."""

from django.db import migrations


def retenir(apps, schema_editor):
    compteur = apps.get_model("realtime", "CompteurEvenements").objects.filter(dernier_purge__gt=0).first()
    if compteur is not None:
        CanalEfface = apps.get_model("realtime", "CanalEfface")
        for audience in ("PUBLIC", "PERSONNEL"):
            CanalEfface.objects.create(canal="", audience=audience, numero=compteur.dernier_purge)


class Migration(migrations.Migration):
    dependencies = [("realtime", "0004_canal_efface")]

    operations = [migrations.RunPython(retenir, migrations.RunPython.noop)]
