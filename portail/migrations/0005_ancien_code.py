import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("guests", "0010_session_effacee"), ("portail", "0004_acces_preuve")]

    operations = [
        migrations.CreateModel(
            name="AncienCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("empreinte", models.CharField(editable=False, max_length=64)),
                ("date_fin", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "invite",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="guests.sessioninvitee",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["empreinte"], name="ancien_code_empreinte"),
                    models.Index(fields=["date_fin"], name="ancien_code_date"),
                ],
            },
        ),
    ]
