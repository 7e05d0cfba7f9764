import pytest

from accounts.models import Compte
from accounts.services import comptes
from accounts.services.effacement import Connu, effacer
from accounts.tests import fabriques
from accounts.vocabulaire import HORS_DU_NOM, NOMS_MAX
from config.tests.outils import acteur_de

pytestmark = pytest.mark.django_db


def test_une_lecture_qui_nomme_quelqu_un_ne_lit_de_lui_que_son_nom():
    colonnes = {champ.name for champ in Compte._meta.concrete_fields}

    assert set(HORS_DU_NOM) == colonnes - {"id", "nom", "prenom"}


@pytest.mark.usefixtures("sans_confirmation")
def test_un_compte_garde_les_mots_de_ses_noms(gestionnaire, admin):
    comptes.modifier(compte=gestionnaire, acteur=acteur_de(gestionnaire), nom="Mukendi-Bâ", prenom="Jo")
    comptes.modifier(compte=gestionnaire, acteur=acteur_de(admin), email="j.tshala@campus.test")
    gestionnaire.refresh_from_db()

    for nom in ("ilunga", "Paul", "mukendi", "Bâ", "tshala"):
        assert gestionnaire.se_cherche(nom)
    assert not gestionnaire.se_cherche("Moreau")


def test_les_premiers_mots_d_un_nom_restent_aussi_souvent_qu_il_change():
    compte = fabriques.compte(nom="Ilunga", prenom="Paul")
    for rang in range(NOMS_MAX):
        compte.nom = "a" * (rang + 3)
        compte.indexer()

    assert len(compte.noms_portes.split()) == NOMS_MAX
    assert compte.se_cherche("ilunga")
    assert compte.se_cherche("a" * (NOMS_MAX + 2))  # the present one, for want of place not kept


def test_un_compte_efface_ne_garde_aucun_nom(etudiante):
    effacer(etudiante, Connu.de(etudiante))
    etudiante.refresh_from_db()

    assert etudiante.noms_portes == ""
    assert not etudiante.se_cherche("awa")
