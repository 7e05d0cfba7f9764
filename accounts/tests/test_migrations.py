from importlib import import_module

import pytest
from django.apps import apps

from accounts.models import Compte
from accounts.tests import fabriques

pytestmark = pytest.mark.django_db
migration = import_module("accounts.migrations.0005_adresses_verifiees")


def test_qui_a_accepte_son_invitation_a_prouve_l_adresse_qu_il_a_encore(admin):
    suivie, changee, autre = (fabriques.compte(email=f"{nom}@campus.test") for nom in ("ines", "eva", "zoe"))
    fabriques.invitation(admin, email="Ines@Campus.test", statut="ACCEPTED", acceptee_par=suivie)
    fabriques.invitation(admin, email="ancienne@campus.test", statut="ACCEPTED", acceptee_par=changee)
    fabriques.invitation(admin, email=autre.email, statut="REVOKED")

    migration.verifier(apps, None)

    assert list(Compte.objects.filter(email_verifie=True)) == [suivie]
