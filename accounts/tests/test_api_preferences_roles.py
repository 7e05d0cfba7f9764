import pytest

from accounts.models import Preferences
from socle.domaine.droits import DROITS

pytestmark = pytest.mark.django_db
PREFERENCES = "/api/v1/preferences/"
ROLES = "/api/v1/roles/"
DEFAUTS = {
    "notificationsActivees": True,
    "notificationsEmail": True,
    "notificationsPush": True,
    "langue": "fr",
    "theme": "clair",
    "parametres": {},
}


@pytest.mark.parametrize(
    ("methode", "url", "statuts"),
    [
        ("get", PREFERENCES, (401, 401, 200, 200, 200)),
        ("put", PREFERENCES, (401, 401, 200, 200, 200)),
        ("get", ROLES, (401, 401, 403, 403, 200)),
        ("get", f"{ROLES}GESTIONNAIRE/permissions", (401, 401, 403, 403, 200)),
        ("get", f"{ROLES}CHEF/permissions", (401, 401, 403, 403, 404)),
    ],
)
def test_qui_peut_quoi(client_de_personne, methode, url, statuts):
    personae = ("anonyme", "invite", "etudiante", "gestionnaire", "admin")

    recus = tuple(getattr(client_de_personne(p), methode)(url, *([{}] if methode == "put" else [])) for p in personae)

    assert tuple(r.status_code for r in recus) == statuts


def test_les_preferences_existent_des_la_premiere_lecture(api, etudiante):
    client = api(etudiante)

    lectures = [client.get(PREFERENCES).json()["data"] for _rang in range(2)]

    assert lectures == [DEFAUTS, DEFAUTS]
    assert Preferences.objects.count() == 1


def test_modifier_sans_avoir_lu_part_des_valeurs_par_defaut(api, etudiante):
    recu = api(etudiante).put(PREFERENCES, {"langue": "en"}).json()["data"]

    assert recu == {**DEFAUTS, "langue": "en"}


def test_modifier_ne_change_que_les_champs_presents(api, etudiante):
    client = api(etudiante)
    client.put(PREFERENCES, {"theme": "sombre", "parametres": {"carte": {"zoom": 3}}, "notificationsPush": False})

    recu = client.put(PREFERENCES, {"notificationsEmail": False, "inconnu": 1}).json()["data"]

    attendues = {"theme": "sombre", "parametres": {"carte": {"zoom": 3}}, "notificationsPush": False}
    assert recu == {**DEFAUTS, **attendues, "notificationsEmail": False}
    assert client.get(PREFERENCES).json()["data"] == recu


def test_chacun_a_les_siennes(api, etudiante, autre_etudiante):
    api(etudiante).put(PREFERENCES, {"theme": "sombre"})

    assert api(autre_etudiante).get(PREFERENCES).json()["data"] == DEFAUTS


@pytest.mark.parametrize(
    ("champ", "valeur"),
    [
        ("notificationsActivees", "true"),
        ("notificationsPush", 1),
        ("notificationsEmail", None),
        ("langue", "de"),
        ("langue", None),
        ("theme", ""),
        ("theme", "x" * 51),
        ("parametres", []),
        ("parametres", "{}"),
        ("parametres", None),
        ("parametres", {"x": "y" * 16_400}),
        ("parametres", {"x": "a\x00b"}),
        ("parametres", {"a\x00b": 1}),
    ],
)
def test_une_preference_mal_formee_est_refusee(api, etudiante, champ, valeur):
    reponse = api(etudiante).put(PREFERENCES, {champ: valeur})

    assert reponse.status_code == 422
    assert reponse.json()["details"][0]["field"].partition(".")[0] == champ
    assert api(etudiante).get(PREFERENCES).json()["data"] == DEFAUTS


@pytest.mark.parametrize("valeur", [2**53, -0.5, "é" * 7000, {"a": {"b": [1, None, True]}}])
def test_les_parametres_sont_libres_dans_leur_taille(api, etudiante, valeur):
    reponse = api(etudiante).put(PREFERENCES, {"parametres": {"x": valeur}})

    assert reponse.status_code == 200
    assert api(etudiante).get(PREFERENCES).json()["data"]["parametres"]["x"] == valeur


@pytest.mark.parametrize("valeur", [10**30, -(2**70), 1e300])
def test_un_nombre_que_json_ne_garantit_pas_est_refuse(api, etudiante, valeur):
    reponse = api(etudiante).put(PREFERENCES, {"parametres": {"x": [valeur]}})

    assert reponse.status_code == 422
    assert api(etudiante).get(PREFERENCES).json()["data"]["parametres"] == {}


def test_les_roles_sont_les_trois_avec_leurs_mots(api, admin):
    roles = api(admin).get(ROLES).json()["data"]

    assert [role["nom"] for role in roles] == ["UTILISATEUR", "GESTIONNAIRE", "ADMIN_SYSTEME"]
    assert [role["libelle"] for role in roles] == ["Utilisateur", "Gestionnaire", "Administrateur système"]
    assert all(role["description"] for role in roles)


@pytest.mark.parametrize("role", ["UTILISATEUR", "GESTIONNAIRE", "ADMIN_SYSTEME"])
def test_les_droits_d_un_role_sont_ceux_que_le_service_applique(api, admin, role):
    recu = api(admin).get(f"{ROLES}{role}/permissions").json()["data"]

    assert recu == {"role": role, "permissions": sorted(DROITS[role])}
    assert all("." in droit for droit in recu["permissions"])


@pytest.mark.parametrize("nom", ["SUPERVISEUR", "gestionnaire", "a%2Fb", "%00"])
def test_un_nom_qui_n_est_pas_un_role_est_introuvable(api, admin, nom):
    assert api(admin).get(f"{ROLES}{nom}/permissions").status_code == 404
