from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("portail", "0005_ancien_code")]

    operations = [
        migrations.AddField(
            model_name="acces",
            name="date_campus",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="acces",
            name="date_mot_de_passe",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="acces",
            constraint=models.CheckConstraint(
                condition=Q(date_campus__isnull=True, date_mot_de_passe__isnull=True) | Q(session__isnull=False),
                name="acces_au_campus_d_un_compte",
            ),
        ),
    ]
