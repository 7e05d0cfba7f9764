from django.db import migrations

from socle.domaine.migrations import taches_deplacees


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_libelles"), ("django_tasks_database", "0001_initial")]
    operations = [taches_deplacees(de="accounts.taches", vers="accounts.tasks")]
