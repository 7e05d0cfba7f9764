"""The page of a case's readers: what its author asked for, and withdrawing from it."""

import pytest

from accounts.models import Preferences
from accounts.services.comptes import modifier_preferences
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, client_de
from espace.tests.outils import Equipiere, valeur
from signalements.models import Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
LISTE = "/equipe/dossiers/"


@pytest.fixture
def ruth(db):
    ruth = comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")
    modifier_preferences(compte=ruth, parait_au_portail=True)
    return ruth


@pytest.fixture
def dossier(etudiante, ruth, gestionnaire):
    return fabriques.signalement(acteur_de(etudiante), ne_pas_montrer_a=[ruth.pk])


def lit(compte):
    return Signalement.objects.visibles_par(acteur_de(compte)).exists()


def enregistrer(qui, dossier, **corps):
    adresse = f"{LISTE}{dossier.pk}/lecteurs/"
    return qui.envoyer(adresse, {"vu_lecteurs": valeur(qui.lire(adresse), "vu_lecteurs"), **corps})


def test_un_gestionnaire_voit_ce_que_l_auteur_a_demande_et_n_y_revient_pas(dossier, gestionnaire, ruth):
    elle = Equipiere(gestionnaire)
    page = elle.lire(f"{LISTE}{dossier.pk}/lecteurs/")

    assert "Demandé par qui a signalé" in page
    assert 'name="motif"' not in page
    refus = enregistrer(elle, dossier)
    assert (refus.status_code, lit(ruth)) == (422, False)
    assert "seul un administrateur peut y revenir" in refus.content.decode()


def test_un_administrateur_y_revient_avec_un_motif_et_ne_perd_pas_ce_qu_il_tape(dossier, admin, ruth, etudiante):
    elle = Equipiere(admin)

    refus = enregistrer(elle, dossier)
    assert (refus.status_code, lit(ruth)) == (422, False)
    assert "dites-lui pourquoi cela change" in refus.content.decode()

    assert enregistrer(elle, dossier, motif="Elle seule parle votre langue.").status_code == 303
    assert lit(ruth)
    lue = client_de(etudiante).get(f"/api/v1/signalements/{dossier.pk}/timeline").json()["data"][-1]
    assert "Elle seule parle votre langue." in lue["description"]


def test_qui_ne_doit_pas_lire_s_en_retire_apres_l_avoir_demande(dossier, gestionnaire, admin):
    elle, retrait = Equipiere(gestionnaire), f"{LISTE}{dossier.pk}/retrait/"
    assert retrait in elle.lire(f"{LISTE}{dossier.pk}/lecteurs/")
    assert "vous ne pourrez pas y revenir de vous-même" in elle.lire(retrait)
    assert lit(gestionnaire)

    assert elle.envoyer(retrait, {}).headers["Location"] == LISTE
    assert (lit(gestionnaire), elle.get(retrait).status_code) == (False, 404)


def test_la_derniere_personne_lit_pourquoi_elle_ne_peut_pas(dossier, gestionnaire):
    elle = Equipiere(gestionnaire)

    refus = elle.envoyer(f"{LISTE}{dossier.pk}/retrait/", {})

    assert (refus.status_code, lit(gestionnaire)) == (409, True)
    assert "faites d'abord venir quelqu'un" in refus.content.decode().replace("’", "'")


def test_paraitre_au_portail_se_choisit_dans_mon_compte(gestionnaire):
    elle = Equipiere(gestionnaire)
    corps = {"acte": "parution", "parution-parait_au_portail": "on", "parution-fonction": "Référente égalité"}

    assert elle.envoyer("/equipe/compte/", corps).status_code == 303
    choisies = Preferences.objects.get(compte=gestionnaire)
    assert (choisies.parait_au_portail, choisies.fonction) == (True, "Référente égalité")
    assert 'value="Référente égalité"' in elle.lire("/equipe/compte/")

    trop = elle.envoyer("/equipe/compte/", {**corps, "parution-fonction": "x" * 81})
    assert (trop.status_code, "x" * 81 in trop.content.decode()) == (422, True)
    elle.envoyer("/equipe/compte/", {"acte": "parution"})
    assert not Preferences.objects.get(compte=gestionnaire).parait_au_portail
