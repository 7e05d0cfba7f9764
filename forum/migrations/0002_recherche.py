from django.db import migrations

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("forum", "0001_forum")]
    operations = [index_de_recherche("forum_poste")]
