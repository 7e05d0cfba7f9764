import socle.domaine.chiffrement
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("guests", "0008_libelles")]

    operations = [
        migrations.AlterField(
            model_name="sessioninvitee",
            name="telephone",
            field=socle.domaine.chiffrement.ChampChiffre(editable=False, null=True),
        ),
    ]
