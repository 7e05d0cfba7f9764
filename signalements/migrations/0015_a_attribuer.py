from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('signalements', '0014_ecritures_gardees'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(condition=models.Q(('absorbe_par__isnull', True), ('gestionnaire__isnull', True)), fields=['-date_creation', '-id'], include=('compte',), name='signalement_sans_gestionnaire'),
        ),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(condition=models.Q(('absorbe_par__isnull', True), ('gestionnaire__isnull', True), models.Q(('statut__in', ('TRAITE', 'CLOTURE')), _negated=True)), fields=['date_creation', 'id'], include=('compte',), name='signalement_a_attribuer'),
        ),
    ]
