import django.utils.timezone
from django.db import migrations, models


def noter(apps, schema_editor):
    """A base with accounts was in use before: its operator says when students get these pages. A new one skips this."""
    if apps.get_model("accounts", "Compte").objects.exists():
        apps.get_model("campus", "BaseAnterieure").objects.create()


class Migration(migrations.Migration):
    initial = True
    dependencies = [("accounts", "0018_demandes_d_adresse")]

    operations = [
        migrations.CreateModel(
            name="BaseAnterieure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date_creation", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.RunPython(noter, migrations.RunPython.noop, elidable=False),
    ]
