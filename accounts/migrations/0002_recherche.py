from django.db import migrations

from socle.domaine.recherche import index_de_recherche


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_comptes")]
    operations = [index_de_recherche("accounts_compte")]
