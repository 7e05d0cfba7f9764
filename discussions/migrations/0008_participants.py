from django.db import migrations, models


class Migration(migrations.Migration):
    """Rows of before have everybody for a participant: counted one by one as they were, until a recount."""

    dependencies = [("discussions", "0007_message_compte_discussion")]

    operations = [
        migrations.AddField(
            model_name="discussion",
            name="participants",
            field=models.BigIntegerField(db_default=-1, default=0, editable=False),
        ),
    ]
