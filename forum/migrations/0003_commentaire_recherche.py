from django.db import migrations, models

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("forum", "0002_recherche")]
    operations = [
        migrations.AddField("commentaire", "recherche", models.TextField(default="", editable=False)),
        index_de_recherche("forum_commentaire"),
    ]
