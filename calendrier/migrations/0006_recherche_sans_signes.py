"""What is stored to be searched takes the form in which questions now come."""

from django.db import migrations

from socle.domaine.migrations import reindexation


class Migration(migrations.Migration):
    atomic = False  # a batch at a time, which may be done again
    dependencies = [("calendrier", "0005_places_des_comptes_desactives")]
    operations = [reindexation("calendrier", "EvenementCampus")]
