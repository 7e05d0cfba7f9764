from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_compte_nb_coupures")]
    operations = [
        migrations.AddField(
            model_name="invitation",
            name="langue",
            field=models.CharField(
                choices=[("fr", "Français"), ("en", "English")],
                db_default="fr",
                default="fr",
                editable=False,
                max_length=2,
            ),
        )
    ]
