from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the day on which a date was put off: after the one that was promised, it is counted as late."""

    dependencies = [
        ("echeances", "0001_echeances"),
    ]

    operations = [
        migrations.AddField(
            model_name="echeance",
            name="prolongee_le",
            field=models.DateField(null=True),
        ),
    ]
