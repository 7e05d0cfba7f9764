"""Reports become searchable by place and presumed author, in the form in which questions now come."""

from django.db import migrations

from socle.domaine.fige import indexable
from socle.domaine.migrations import lots


def reindexer(apps, schema_editor):
    """A batch at a time; from the search text, which holds the references of joined reports, plus what is new."""
    lignes = apps.get_model("signalements", "Signalement")._base_manager
    for lot in lots(lignes.filter(recherche_auteur="").only("recherche", "lieu_incident", "auteur_presume")):
        for ligne in lot:
            lieu = indexable(ligne.lieu_incident)
            texte = indexable(ligne.recherche)
            ligne.recherche = texte if lieu in texte else f"{texte} {lieu}"
            ligne.recherche_auteur = f"{ligne.recherche} {indexable(ligne.auteur_presume)}".strip()
        lignes.bulk_update(lot, ["recherche", "recherche_auteur"])


class Migration(migrations.Migration):
    atomic = False  # a batch at a time, which may be done again
    dependencies = [("signalements", "0027_signalement_recherche_auteur")]
    operations = [migrations.RunPython(reindexer, migrations.RunPython.noop, elidable=True)]
