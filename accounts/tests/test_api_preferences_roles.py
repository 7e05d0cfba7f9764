import pytest

from accounts.models import Compte, Preferences
from accounts.services import comptes
from accounts.tasks import peut_informer
from accounts.tests.outils import AUTH
from config.tests.outils import document
from socle.courriel import CONSOLE
from socle.domaine.droits import DROITS
from socle.taches.tests.outils import faire_les_taches

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
    "avis": {
        "NOUVEAU_DOSSIER": "QUOTIDIEN",
        "DOSSIER_CRITIQUE": "IMMEDIAT",
        "DOSSIER_CONFIE": "IMMEDIAT",
        "DOSSIER_REPRIS": "IMMEDIAT",
        "MESSAGE": "IMMEDIAT",
        "ECHEANCE_PROCHE": "IMMEDIAT",
        "ECHEANCE_DU_JOUR": "IMMEDIAT",
        "ECHEANCE_DEPASSEE": "IMMEDIAT",
    },
    "avisDossiers": False,
    "avisEvenements": False,
    "avisPublications": False,
    "paraitAuPortail": False,
    "fonction": None,
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


# --- Mails of information -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refusees", "attendu"),
    [
        ([], True),
        (["notificationsPush"], True),
        (["notificationsEmail"], False),
        (["notificationsActivees"], False),
        (["notificationsActivees", "notificationsEmail"], False),
    ],
)
def test_un_courriel_d_information_ne_va_qu_a_qui_le_veut_bien(api, etudiante, autre_etudiante, refusees, attendu):
    api(etudiante).put(PREFERENCES, dict.fromkeys(refusees, False))

    assert peut_informer(etudiante) is attendu
    assert peut_informer(autre_etudiante)


def test_un_compte_sans_preferences_veut_les_courriels_et_un_compte_ferme_n_en_veut_plus(etudiante):
    ouvert = peut_informer(etudiante)
    etudiante.est_actif = False

    assert (ouvert, peut_informer(etudiante), Preferences.objects.exists()) == (True, False, False)


@pytest.mark.usefixtures("sans_confirmation")
def test_les_courriels_de_la_securite_du_compte_partent_quoi_que_disent_les_preferences(
    api, admin, etudiante, mailoutbox
):
    api(etudiante).put(PREFERENCES, dict.fromkeys(("notificationsActivees", "notificationsEmail"), False))

    api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
    faire_les_taches()
    api(admin).put(f"/api/v1/comptes/{etudiante.pk}", {"email": "eva@campus.test"})
    faire_les_taches()

    assert not peut_informer(Compte.objects.get(pk=etudiante.pk))
    assert sorted(message.to[0] for message in mailoutbox) == ["awa@campus.test"] * 2 + ["eva@campus.test"]


@pytest.mark.parametrize("forme", ["PreferenceUpdate", "PreferencesDetail"])
def test_la_description_dit_ce_que_le_service_fait_de_chaque_notification(forme):
    champs = document()["components"]["schemas"][forme]["properties"]

    assert "Gardé pour les clients" in champs["notificationsPush"]["description"]
    assert "partent toujours" in champs["notificationsEmail"]["description"]
    assert champs["notificationsActivees"]["description"]


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


def test_etre_prevenu_de_ses_dossiers_demande_une_adresse_verifiee_et_un_serveur(api, etudiante, settings):
    def demander():
        reponse = api(etudiante).put("/api/v1/preferences", {"avisDossiers": True, "theme": "sombre"})
        return reponse.status_code, reponse.json()

    statut, refus = demander()
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=True)
    present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, CONSOLE
    sans_serveur = demander()
    settings.EMAIL_BACKEND = present
    avant = comptes.preferences_de(etudiante)

    assert (statut, [un["field"] for un in refus["details"]]) == (422, ["avisDossiers"])
    assert (sans_serveur[0], sans_serveur[1]["code"]) == (409, "MAILS_NON_REMIS")
    assert (avant.avis_dossiers, avant.theme) == (False, "clair")
    assert demander()[1]["data"]["avisDossiers"] is True
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=False)
    assert demander()[0] == 200  # it was so: an application that sends all of them again is not refused


@pytest.mark.parametrize("nom", ["avisEvenements", "avisPublications"])
def test_un_e_mail_du_campus_demande_un_serveur(api, etudiante, settings, nom):
    def demander():
        reponse = api(etudiante).put("/api/v1/preferences", {nom: True, "theme": "sombre"})
        return reponse.status_code, reponse.json()

    present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, CONSOLE
    refusee = demander()
    avant = comptes.preferences_de(etudiante)
    settings.EMAIL_BACKEND = present
    demandee = demander()
    settings.EMAIL_BACKEND = CONSOLE

    assert (refusee[0], refusee[1]["code"]) == (409, "MAILS_NON_REMIS")
    assert (avant.avis_evenements, avant.avis_publications, avant.theme) == (False, False, "clair")
    assert demandee[1]["data"][nom] is True
    assert demander()[0] == 200  # it was so
