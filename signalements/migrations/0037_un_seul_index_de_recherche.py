from django.db import migrations

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("signalements", "0036_effectifs_par_mois")]
    operations = [index_de_recherche("signalements_signalement", retire=True)]
