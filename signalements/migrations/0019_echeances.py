from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [("signalements", "0018_dates_de_cloture")]

    operations = [
        sans_limite_de_temps(),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(condition=models.Q(('absorbe_par__isnull', True), ('date_cloture__isnull', False), ('gele_depuis__isnull', True)), fields=['date_cloture', 'id'], name='signalement_echeance'),
        ),
    ]
