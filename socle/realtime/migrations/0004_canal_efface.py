from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("realtime", "0003_compteur_initial")]

    operations = [
        migrations.CreateModel(
            name="CanalEfface",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("canal", models.CharField(max_length=255)),
                (
                    "audience",
                    models.CharField(choices=[("PUBLIC", "Public"), ("PERSONNEL", "Personnel")], max_length=20),
                ),
                ("numero", models.BigIntegerField(verbose_name="plus haut numéro effacé")),
            ],
            options={
                "verbose_name": "canal effacé",
                "verbose_name_plural": "canaux effacés",
                "constraints": [models.UniqueConstraint(fields=("canal", "audience"), name="canal_efface_unique")],
            },
        ),
    ]
