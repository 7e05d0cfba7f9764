"""Single keys, for who has asked for them: a choice kept with the person's other settings."""

import pytest

from accounts.models import Preferences
from config.tests.outils import client_de
from espace.tests.outils import LISTE, texte_de

pytestmark = pytest.mark.django_db
RACCOURCIS = "/equipe/raccourcis/"


def choisir(elle, actifs, **champs):
    return elle.envoyer(RACCOURCIS, {"actifs": actifs, **champs})


def test_ils_sont_eteints_tant_que_personne_ne_les_demande(elle, signalement):
    for page in (elle.lire(), elle.dossier(signalement)):
        assert 'id="raccourcis"' not in page
        assert "<dialog" not in page
    assert "Activer les raccourcis clavier" in elle.lire()


def test_les_allumer_puis_les_eteindre_garde_le_reste_des_preferences(elle, gestionnaire, signalement):
    client_de(gestionnaire).put("/api/v1/preferences/", {"parametres": {"filtres": [], "ailleurs": {"n": 1}}})

    allume = choisir(elle, "oui", adresse="?vue=clos")

    assert (allume.status_code, allume.headers["Location"]) == (303, f"{LISTE}?vue=clos#clavier")
    assert Preferences.objects.get(compte=gestionnaire).parametres == {
        "filtres": [],
        "ailleurs": {"n": 1},
        "raccourcis": True,
    }
    for page in (elle.lire(), elle.dossier(signalement), elle.lire(f"{LISTE}{signalement.pk}/fichier/")):
        assert 'id="raccourcis"' in page
        assert '<dialog id="raccourcis"' in page
    choisir(elle, "non")
    assert Preferences.objects.get(compte=gestionnaire).parametres["raccourcis"] is False
    assert 'id="raccourcis"' not in elle.lire()


@pytest.mark.parametrize("ecrit", ["oui", 1, [], {}, None])
def test_ce_qu_un_autre_client_y_a_ecrit_autrement_ne_les_allume_pas(elle, gestionnaire, signalement, ecrit):
    client_de(gestionnaire).put("/api/v1/preferences/", {"parametres": {"raccourcis": ecrit}})

    assert 'id="raccourcis"' not in elle.lire()
    assert 'id="raccourcis"' not in elle.dossier(signalement)


def test_chacun_les_siens(elle, equipiere, admin):
    choisir(elle, "oui")

    assert 'id="raccourcis"' not in equipiere(admin).lire()


def test_des_preferences_pleines_se_disent(elle, gestionnaire):
    plein = {"x": "é" * 8_180}
    assert client_de(gestionnaire).put("/api/v1/preferences/", {"parametres": plein}).status_code == 200

    refus = choisir(elle, "oui")

    assert refus.status_code == 422
    assert Preferences.objects.get(compte=gestionnaire).parametres == plein


def test_un_refus_ne_demande_rien_de_plus(elle):
    choisir(elle, "oui")

    refus = elle.get(f"{LISTE}5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f/")

    assert (refus.status_code, 'id="raccourcis"' in texte_de(refus)) == (404, False)
