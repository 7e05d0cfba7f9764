from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("portail", "0002_acces_d_un_compte")]

    operations = [
        migrations.AddField(
            model_name="acces",
            name="date_verification",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="acces",
            name="garde_jusqu_a",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="acces",
            constraint=models.CheckConstraint(
                condition=Q(garde_jusqu_a__isnull=True) | Q(invite__isnull=False, date_verification__isnull=False),
                name="acces_garde_d_un_invite_verifie",
            ),
        ),
    ]
