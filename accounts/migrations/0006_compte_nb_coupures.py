from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_adresses_verifiees")]
    operations = [
        migrations.AddField(
            model_name="compte",
            name="nb_coupures",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        )
    ]
