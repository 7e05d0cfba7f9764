from django.db import migrations

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("signalements", "0001_signalement")]
    operations = [index_de_recherche("signalements_signalement")]
