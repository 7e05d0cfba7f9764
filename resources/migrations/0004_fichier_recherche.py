from django.db import migrations, models

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("resources", "0003_recherche")]
    operations = [
        migrations.AddField("fichier", "recherche", models.TextField(default="", editable=False)),
        index_de_recherche("resources_fichier"),
    ]
