from django.db import migrations

from socle.domaine.migrations import taches_deplacees


class Migration(migrations.Migration):
    dependencies = [("stats", "0001_exports"), ("django_tasks_database", "0001_initial")]
    operations = [taches_deplacees(de="stats.taches", vers="stats.exports.tasks")]
