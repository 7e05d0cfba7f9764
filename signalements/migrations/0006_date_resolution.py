from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("signalements", "0005_pieces_jointes")]

    operations = [
        migrations.AddField(
            model_name='signalement',
            name='date_resolution',
            field=models.DateTimeField(editable=False, null=True, verbose_name='résolu le'),
        ),
    ]
