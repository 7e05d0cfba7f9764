from django.db import migrations

from socle.domaine.migrations import sans_limite_de_temps
from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("signalements", "0028_recherche_etendue")]
    operations = [sans_limite_de_temps(), index_de_recherche("signalements_signalement", "recherche_auteur")]
