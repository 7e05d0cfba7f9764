from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("realtime", "0005_effaces_d_avant")]

    operations = [
        migrations.AddField(
            model_name='evenement',
            name='masque',
            field=models.JSONField(editable=False, null=True),
        ),
    ]
