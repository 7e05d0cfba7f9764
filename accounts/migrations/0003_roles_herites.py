from django.db import migrations

ROLES = {"SUPERVISEUR": "ADMIN_SYSTEME", "MODERATEUR": "GESTIONNAIRE"}


def migrer(apps, schema_editor):
    for modele in ("Compte", "Invitation"):
        lignes = apps.get_model("accounts", modele)._base_manager
        for ancien, actuel in ROLES.items():
            lignes.filter(type_utilisateur=ancien).update(type_utilisateur=actuel)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_recherche")]
    operations = [migrations.RunPython(migrer, migrations.RunPython.noop)]
