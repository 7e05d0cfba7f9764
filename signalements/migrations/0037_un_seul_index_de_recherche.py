from django.db import migrations

from socle.domaine.migrations import sans_limite_de_temps
from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("signalements", "0036_effectifs_par_mois")]
    # The way back, from the last to the first, makes the index again.
    operations = [index_de_recherche("signalements_signalement", retire=True), sans_limite_de_temps()]
