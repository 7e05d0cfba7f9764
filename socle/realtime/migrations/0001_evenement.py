import django.core.serializers.json
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Evenement',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('numero', models.BigIntegerField(editable=False, null=True, unique=True, verbose_name='numéro')),
                ('type', models.CharField(max_length=50)),
                ('canal', models.CharField(max_length=255)),
                ('audience', models.CharField(choices=[('PUBLIC', 'Public'), ('PERSONNEL', 'Personnel')], default='PUBLIC', max_length=20)),
                ('payload', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('date_creation', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='créé le')),
            ],
            options={
                'verbose_name': 'événement',
                'indexes': [models.Index(condition=models.Q(('numero__isnull', True)), fields=['id'], name='evenement_a_numeroter'), models.Index(fields=['canal', 'numero'], name='evenement_canal_numero'), models.Index(fields=['date_creation'], name='evenement_date')],
            },
        ),
    ]
