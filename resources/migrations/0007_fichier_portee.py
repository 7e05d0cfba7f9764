from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [("resources", "0006_fichier_date_suppression")]
    operations = [
        sans_limite_de_temps(),
        migrations.AddField(
            "fichier",
            "portee",
            models.CharField(
                choices=[("LIBRE", "Libre"), ("OUVERTE", "Ouverte"), ("ANONYME", "Anonyme")],
                default="LIBRE",
                editable=False,
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            "fichier",
            models.CheckConstraint(
                condition=models.Q(("portee__in", ["LIBRE", "OUVERTE", "ANONYME"])), name="fichier_portee_connue"
            ),
        ),
        migrations.AddIndex(
            "fichier",
            models.Index(
                condition=models.Q(("date_suppression__isnull", True), ("portee", "LIBRE")),
                fields=["date_creation", "id"],
                name="fichier_libre_date",
            ),
        ),
    ]
