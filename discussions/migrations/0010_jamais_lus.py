from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """How many messages of each discussion nobody but their author has read, and up to which all count as read."""

    dependencies = [("discussions", "0009_titulaire")]

    operations = [
        migrations.AddField(
            model_name="discussion",
            name="jamais_lus",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="discussion",
            name="lus_par_tous",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddIndex(
            model_name="discussion",
            index=models.Index(
                condition=Q(absorbe_par__isnull=True, jamais_lus__gt=0),
                fields=["signalement"],
                name="discussion_jamais_lue",
            ),
        ),
    ]
