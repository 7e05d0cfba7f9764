from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("signalements", "0009_effectifs")]
    operations = [
        migrations.AlterField(
            "entreetimeline",
            "type",
            models.CharField(
                choices=[
                    ("CREATION", "Création"),
                    ("STATUT", "Statut"),
                    ("ASSIGNATION", "Assignation"),
                    ("PRIORITE", "Priorité"),
                    ("NOTE", "Note interne"),
                    ("FUSION", "Rattachement"),
                    ("ALERTE_ECARTEE", "Alerte écartée"),
                    ("PIECE_SUPPRIMEE", "Pièce supprimée"),
                    ("PIECE_RETABLIE", "Pièce rétablie"),
                ],
                max_length=20,
                verbose_name="type",
            ),
        ),
    ]
