import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Alerts that no status raises."""

    dependencies = [
        ("signalements", "0025_siens_groupes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AlerteDeDossier",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "nature",
                    models.CharField(
                        choices=[("MESSAGE_APRES_CLOTURE", "Message après la clôture")],
                        max_length=30,
                        verbose_name="nature",
                    ),
                ),
                ("objet", models.UUIDField()),
                ("date_creation", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("date_ecartement", models.DateTimeField(editable=False, null=True)),
                ("date_fin", models.DateTimeField(editable=False, null=True)),
                (
                    "ecartee_par",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "signalement",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alertes",
                        to="signalements.signalement",
                        verbose_name="signalement",
                    ),
                ),
            ],
            options={
                "verbose_name": "alerte",
                "indexes": [
                    models.Index(
                        condition=models.Q(("date_ecartement__isnull", True), ("date_fin__isnull", True)),
                        fields=["date_creation", "id"],
                        name="alerte_ouverte_date",
                    ),
                    models.Index(fields=["signalement"], name="alerte_signalement"),
                    models.Index(
                        condition=models.Q(("date_fin__isnull", True)), fields=["signalement"], name="alerte_en_cours"
                    ),
                    models.Index(
                        condition=models.Q(("ecartee_par__isnull", False)),
                        fields=["ecartee_par"],
                        name="alerte_ecartee_par",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("date_ecartement__isnull", True), ("date_fin__isnull", True)),
                        fields=("signalement", "nature"),
                        name="alerte_ouverte_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("nature__in", ["MESSAGE_APRES_CLOTURE"])), name="alerte_nature_connue"
                    ),
                ],
            },
        ),
    ]
