from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("discussions", "0004_unicite_couvrante")]

    operations = [
        migrations.AddField(
            model_name="discussion",
            name="non_lus",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
