from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("guests", "0007_masquer_les_identifiants")]
    operations = [
        migrations.AlterField(
            model_name="sessioninvitee",
            name="statut",
            field=models.CharField(
                choices=[
                    ("ACTIVE", "Active"),
                    ("MERGED", "Rattachée à un compte"),
                    ("DISABLED", "Désactivée"),
                ],
                default="ACTIVE",
                max_length=10,
                verbose_name="statut",
            ),
        )
    ]
