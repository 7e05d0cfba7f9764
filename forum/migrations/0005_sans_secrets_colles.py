"""Texts are masked before they are stored: nothing is kept beside them to mask them with."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("guests", "0007_masquer_les_identifiants"), ("forum", "0004_commentaires_indexes")]

    operations = [
        migrations.RemoveField(model_name="poste", name="secrets_colles"),
        migrations.RemoveField(model_name="commentaire", name="secrets_colles"),
    ]
