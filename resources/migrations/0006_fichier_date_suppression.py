from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [("resources", "0005_fichiers_indexes")]
    operations = [
        sans_limite_de_temps(),
        migrations.AddField(
            "fichier",
            "date_suppression",
            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="supprimé le"),
        ),
        migrations.AddIndex(
            "fichier",
            models.Index(
                condition=models.Q(("date_suppression__isnull", False)),
                fields=["date_suppression", "id"],
                name="fichier_supprime_date",
            ),
        ),
    ]
