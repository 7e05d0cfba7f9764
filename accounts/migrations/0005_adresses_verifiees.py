"""Who came by the link of an invitation, and still has its address, has proved it."""

from django.db import migrations
from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower


def verifier(apps, schema_editor):
    invitations = apps.get_model("accounts", "Invitation")._base_manager.alias(adresse=Lower("email"))
    suivies = invitations.filter(statut="ACCEPTED", acceptee_par=OuterRef("pk"), adresse=OuterRef("email"))
    apps.get_model("accounts", "Compte")._base_manager.filter(Exists(suivies)).update(email_verifie=True)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_compte_email_verifie")]
    operations = [migrations.RunPython(verifier, migrations.RunPython.noop)]
