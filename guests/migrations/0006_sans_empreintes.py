"""Nobody reads the hashes of the phone and of the device; backwards the columns come back empty."""

from django.db import migrations, models

# With a default, so that there is a way back where there are rows.
VIDE = {"blank": True, "default": "", "editable": False, "max_length": 64}


class Migration(migrations.Migration):
    dependencies = [("guests", "0005_liste_par_jour")]

    operations = [
        migrations.AlterField("sessioninvitee", "telephone_empreinte", models.CharField(**VIDE)),
        migrations.AlterField("sessioninvitee", "appareil_empreinte", models.CharField(**VIDE)),
        migrations.RemoveField("sessioninvitee", "telephone_empreinte"),
        migrations.RemoveField("sessioninvitee", "appareil_empreinte"),
    ]
