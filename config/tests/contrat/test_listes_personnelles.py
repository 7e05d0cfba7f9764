"""Lists answer 200 to everyone: what is in them counts."""

import pytest

from config.tests.outils.scene import Scene

LISTES_PERSONNELLES = [
    ("/api/v1/signalements/me", "user_owner", 1),
    ("/api/v1/signalements/me", "user_stranger", 0),
    ("/api/v1/signalements/me", "gestionnaire", 0),
    ("/api/v1/signalements/me", "admin", 0),
    ("/api/v1/signalements/guest/me", "guest_owner", 1),
    ("/api/v1/signalements/guest/me", "guest_stranger", 0),
    ("/api/v1/signalements/guest/me", "bad_bearer_good_guest", 1),
    ("/api/v1/guest/suivi", "guest_owner", 1),
    ("/api/v1/guest/suivi", "guest_stranger", 0),
    ("/api/v1/guest/suivi", "bad_bearer_good_guest", 1),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("url", "acteur", "attendus"), LISTES_PERSONNELLES)
def test_une_liste_personnelle_ne_contient_que_les_siens(url, acteur, attendus):
    scene = Scene()
    siens = scene.signalement_de_l_invite if "guest" in url else scene.signalement_du_compte
    assert scene.signalement_de_l_invite.reference != scene.signalement_du_compte.reference

    donnees = scene.client(acteur).get(url).json()["data"]

    assert donnees["total"] == attendus
    assert [item["reference"] for item in donnees["items"]] == [siens.reference] * attendus


@pytest.mark.django_db
def test_un_visiteur_ne_voit_d_autrui_qu_une_carte():
    scene = Scene()
    url = f"/api/v1/comptes/{scene.user_owner.pk}"

    entiere = scene.client("user_owner").get(url).json()["data"]
    carte = scene.client("user_stranger").get(url).json()["data"]

    assert entiere["email"] == "awa@campus.test"
    assert carte.keys() == {"id", "nom", "prenom", "typeUtilisateur"}
