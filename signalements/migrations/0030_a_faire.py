from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [
        ("signalements", "0029_recherche_auteur_indexee"),
    ]

    operations = [
        sans_limite_de_temps(),
        migrations.AddIndex(
            model_name="signalement",
            index=models.Index(
                condition=models.Q(
                    ("absorbe_par__isnull", True),
                    ("priorite", "CRITICAL"),
                    models.Q(("statut__in", ("TRAITE", "CLOTURE")), _negated=True),
                ),
                fields=["date_creation", "id"],
                include=("gestionnaire", "compte", "ouvert_a"),
                name="signalement_critique",
            ),
        ),
        migrations.AddIndex(
            model_name="signalement",
            index=models.Index(
                condition=models.Q(
                    ("absorbe_par__isnull", True),
                    ("gestionnaire__isnull", False),
                    models.Q(("statut__in", ("TRAITE", "CLOTURE")), _negated=True),
                ),
                fields=["gestionnaire", "date_modification", "id"],
                include=("compte", "ouvert_a"),
                name="signalement_suivi",
            ),
        ),
    ]
