from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('realtime', '0001_evenement'),
    ]

    operations = [
        migrations.CreateModel(
            name='CompteurEvenements',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('dernier_numero', models.BigIntegerField(default=0, verbose_name='dernier numéro donné')),
                ('dernier_purge', models.BigIntegerField(default=0, verbose_name='plus haut numéro effacé')),
            ],
            options={
                'verbose_name': 'compteur des événements',
                'verbose_name_plural': 'compteur des événements',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='compteur_evenements_unique')],
            },
        ),
    ]
