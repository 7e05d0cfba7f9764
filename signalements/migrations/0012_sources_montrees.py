from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [("guests", "0002_audit_fusion"), ("signalements", "0011_sans_secrets_colles")]

    operations = [
        sans_limite_de_temps(),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(condition=models.Q(('absorbe_par__isnull', True), models.Q(('invite__isnull', False), models.Q(('fusionne_de__isnull', False), models.Q(('mode_identification', 'IDENTIFIE'), _negated=True)), _connector='OR')), fields=['-date_creation', '-id'], name='signalement_guest'),
        ),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(condition=models.Q(('absorbe_par__isnull', True), ('invite__isnull', True), models.Q(('fusionne_de__isnull', True), ('mode_identification', 'IDENTIFIE'), _connector='OR')), fields=['-date_creation', '-id'], name='signalement_auth_user'),
        ),
    ]
