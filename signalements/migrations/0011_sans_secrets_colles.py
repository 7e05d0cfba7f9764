"""Texts are masked before they are stored: nothing is kept beside them to mask them with."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("guests", "0007_masquer_les_identifiants"), ("signalements", "0010_pieces_supprimees")]

    operations = [migrations.RemoveField(model_name="signalement", name="secrets_colles")]
