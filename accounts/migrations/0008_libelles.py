from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_invitation_langue")]
    operations = [
        migrations.AlterField(
            model_name="invitation",
            name="statut",
            field=models.CharField(
                choices=[
                    ("PENDING", "En attente"),
                    ("ACCEPTED", "Acceptée"),
                    ("EXPIRED", "Expirée"),
                    ("REVOKED", "Révoquée"),
                ],
                default="PENDING",
                max_length=20,
                verbose_name="statut",
            ),
        )
    ]
