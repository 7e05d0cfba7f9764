import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from socle.domaine.migrations import sans_limite_de_temps


class Migration(migrations.Migration):

    dependencies = [
        ('guests', '0009_telephone_facultatif'),
        ('signalements', '0016_dossiers_reserves'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        sans_limite_de_temps(),  # the last two read the table once
        migrations.CreateModel(
            name='AvisDeSuppression',
            fields=[
                ('jour', models.DateField(primary_key=True, serialize=False, verbose_name='jour')),
                ('clos_avant', models.DateField(verbose_name='clos avant le')),
            ],
            options={
                'verbose_name': 'avis de suppression',
                'verbose_name_plural': 'avis de suppression',
            },
        ),
        migrations.AddField(
            model_name='signalement',
            name='date_cloture',
            field=models.DateTimeField(editable=False, null=True, verbose_name='clôturé le'),
        ),
        migrations.AddField(
            model_name='signalement',
            name='gel_motif',
            field=models.CharField(blank=True, db_default='', default='', max_length=255, verbose_name='motif du gel'),
        ),
        migrations.AddField(
            model_name='signalement',
            name='gele_depuis',
            field=models.DateTimeField(editable=False, null=True, verbose_name='gelé le'),
        ),
        migrations.AddField(
            model_name='signalement',
            name='gele_par',
            field=models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='gelé par'),
        ),
        migrations.AddIndex(
            model_name='signalement',
            index=models.Index(condition=models.Q(('gele_par__isnull', False)), fields=['gele_par'], name='signalement_gele_par'),
        ),
    ]
