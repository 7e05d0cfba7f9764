from django.db import migrations

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("calendrier", "0001_evenements")]
    operations = [index_de_recherche("calendrier_evenementcampus")]
