from django.db import migrations

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("resources", "0002_aide")]

    operations = [index_de_recherche("resources_ressource")]
