import datetime

from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):
    dependencies = [("signalements", "0007_dates_de_resolution")]

    operations = [
        sans_limite_de_temps(),
        migrations.CreateModel(
            name='Effectif',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('axe', models.CharField(choices=[('TOUT', 'Tout'), ('JOUR', 'Jour'), ('STATUT', 'Statut'), ('PRIORITE', 'Priorite'), ('MODE', 'Mode'), ('SOURCE', 'Source'), ('RESOLUTION', 'Resolution'), ('GESTIONNAIRE', 'Gestionnaire')], max_length=12)),
                ('jour', models.DateField(default=datetime.date(1, 1, 1))),
                ('type', models.CharField(blank=True, default='', max_length=50)),
                ('statut', models.CharField(blank=True, default='', max_length=20)),
                ('priorite', models.CharField(blank=True, default='', max_length=10)),
                ('mode', models.CharField(blank=True, default='', max_length=50)),
                ('source', models.CharField(blank=True, default='', max_length=10)),
                ('gestionnaire', models.CharField(blank=True, default='', max_length=36)),
                ('nombre', models.BigIntegerField()),
                ('resolus', models.BigIntegerField()),
                ('secondes', models.BigIntegerField()),
                ('plie', models.BooleanField(default=False)),
            ],
        ),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(fields=['reference'], name='signalement_reference'),
        ),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(models.Case(models.When(priorite='CRITICAL', then=models.Value(0)), models.When(priorite='HIGH', then=models.Value(1)), models.When(priorite='MEDIUM', then=models.Value(2)), models.When(priorite='LOW', then=models.Value(3)), output_field=models.SmallIntegerField()), models.F('date_creation'), models.F('id'), condition=models.Q(('absorbe_par__isnull', True), ('statut__in', ['NOUVEAU', 'EN_ATTENTE'])), name='signalement_alerte'),
        ),
        migrations.AddConstraint(
            model_name='signalement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('date_resolution__isnull', False), ('statut__in', ('TRAITE', 'CLOTURE'))), models.Q(models.Q(('statut__in', ('TRAITE', 'CLOTURE')), _negated=True), ('date_resolution__isnull', True)), _connector='OR'), name='signalement_date_resolution'),
        ),
        migrations.AddIndex(
            model_name='effectif',
            index=models.Index(fields=['axe', 'jour'], name='effectif_axe_jour'),
        ),
        migrations.AddIndex(
            model_name='effectif',
            index=models.Index(condition=models.Q(('plie', False)), fields=['id'], name='effectif_a_plier'),
        ),
        migrations.AddConstraint(
            model_name='effectif',
            constraint=models.UniqueConstraint(condition=models.Q(('plie', True)), fields=('axe', 'jour', 'type', 'statut', 'priorite', 'mode', 'source', 'gestionnaire'), name='effectif_une_ligne_pliee'),
        ),
    ]
