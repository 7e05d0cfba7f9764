"""The files that are there already become searchable by their name."""

from django.db import migrations

from socle.domaine.fige import normaliser

LOT = 1_000


def indexer(apps, schema_editor):
    fichiers = apps.get_model("resources", "Fichier")._base_manager
    lot = []
    for fichier in fichiers.only("nom").iterator(LOT):
        fichier.recherche = normaliser(fichier.nom)
        lot.append(fichier)
        if len(lot) == LOT:
            fichiers.bulk_update(lot, ["recherche"])
            lot = []
    fichiers.bulk_update(lot, ["recherche"])


class Migration(migrations.Migration):
    dependencies = [("resources", "0004_fichier_recherche")]
    operations = [migrations.RunPython(indexer, migrations.RunPython.noop)]
