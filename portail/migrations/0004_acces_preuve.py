from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("portail", "0003_acces_garde")]

    operations = [
        migrations.AddField(
            model_name="acces",
            name="date_preuve",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="acces",
            name="preuves_fausses",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="acces",
            name="mots_faux",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
