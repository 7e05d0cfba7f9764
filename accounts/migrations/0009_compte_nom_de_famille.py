from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_libelles")]
    operations = [
        migrations.AlterField(
            model_name="compte",
            name="nom",
            field=models.CharField(max_length=255, verbose_name="nom de famille"),
        )
    ]
