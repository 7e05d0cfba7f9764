from importlib import import_module

import pytest
from django.apps import apps

from accounts.models import Compte, Invitation
from accounts.tests import fabriques

pytestmark = pytest.mark.django_db
migration = import_module("accounts.migrations.0005_adresses_verifiees")
adresses = import_module("accounts.migrations.0014_adresses_en_une_forme")


def test_qui_a_accepte_son_invitation_a_prouve_l_adresse_qu_il_a_encore(admin):
    suivie, changee, autre = (fabriques.compte(email=f"{nom}@campus.test") for nom in ("ines", "eva", "zoe"))
    fabriques.invitation(admin, email="Ines@Campus.test", statut="ACCEPTED", acceptee_par=suivie)
    fabriques.invitation(admin, email="ancienne@campus.test", statut="ACCEPTED", acceptee_par=changee)
    fabriques.invitation(admin, email=autre.email, statut="REVOKED")

    migration.verifier(apps, None)

    assert list(Compte.objects.filter(email_verifie=True)) == [suivie]


def test_les_adresses_d_avant_prennent_leur_forme_sauf_celles_qui_se_valent(admin):
    def compte(email, nom):
        compte = fabriques.compte(email=f"{nom}@campus.test", nom=nom)
        Compte.objects.filter(pk=compte.pk).update(email=email, recherche=f"awa {nom} awa {email}")
        return compte

    seule, double, autre_double = (
        compte("ines@münchen.test", "ines"),
        compte("eva@münchen.test", "eva"),
        compte("eva@xn--mnchen-3ya.test", "zoe"),
    )
    deux = [compte("lea@bücher.test", "lea"), compte("lea@bu\u0308cher.test", "noe")]
    invitee = fabriques.invitation(admin, email="max@münchen.test")

    adresses.mettre(apps, None)

    seule.refresh_from_db()
    assert (seule.email, seule.recherche) == ("ines@xn--mnchen-3ya.test", "awa ines awa ines@xn--mnchen-3ya.test")
    assert Invitation.objects.get(pk=invitee.pk).email == "max@xn--mnchen-3ya.test"
    autre_double.refresh_from_db()
    assert autre_double.email == "eva@xn--mnchen-3ya.test"
    assert set(Compte.objects.a_une_autre_forme()) == {double.pk, *(un.pk for un in deux)}
