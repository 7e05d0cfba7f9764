"""The comments that are there already become searchable."""

from django.db import migrations

from socle.domaine.fige import normaliser

LOT = 1_000


def indexer(apps, schema_editor):
    commentaires = apps.get_model("forum", "Commentaire")._base_manager
    lot = []
    for commentaire in commentaires.only("contenu").iterator(LOT):
        commentaire.recherche = normaliser(commentaire.contenu)
        lot.append(commentaire)
        if len(lot) == LOT:
            commentaires.bulk_update(lot, ["recherche"])
            lot = []
    commentaires.bulk_update(lot, ["recherche"])


class Migration(migrations.Migration):
    dependencies = [("forum", "0003_commentaire_recherche")]
    operations = [migrations.RunPython(indexer, migrations.RunPython.noop)]
