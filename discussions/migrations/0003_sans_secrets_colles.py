"""Texts are masked before they are stored: nothing is kept beside them to mask them with."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("guests", "0007_masquer_les_identifiants"), ("discussions", "0002_portees_des_fichiers")]

    operations = [
        migrations.RemoveField(model_name="discussion", name="secrets_colles"),
        migrations.RemoveField(model_name="message", name="secrets_colles"),
    ]
