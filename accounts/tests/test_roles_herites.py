from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command

from accounts.models import Compte, Invitation
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, jeton_recu, renouveler, se_connecter
from signalements.models import Signalement
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
COMPTES = "/api/v1/comptes/"
ROLES = [("SUPERVISEUR", "ADMIN_SYSTEME"), ("MODERATEUR", "GESTIONNAIRE")]


@pytest.fixture
def ancien(db):
    """An account as an earlier system stored it."""

    def creer(role):
        compte = fabriques.compte(email="ancien@campus.test")
        Compte.objects.filter(pk=compte.pk).update(type_utilisateur=role)
        compte.refresh_from_db()
        return compte

    return creer


@pytest.mark.parametrize(("role", "present"), ROLES)
def test_toute_lecture_repond_le_role_present(api, gestionnaire, ancien, role, present):
    compte = ancien(role)
    connexion = se_connecter(compte).json()["data"]

    lus = [
        connexion,
        renouveler(connexion["refreshToken"]).json()["data"],
        api(compte).get(f"{AUTH}validate").json()["data"],
        api(compte).get(f"{COMPTES}me").json()["data"],
        api(gestionnaire).get(f"{COMPTES}{compte.pk}").json()["data"],
        *api(gestionnaire).get(f"{COMPTES}?typeUtilisateur={present}&search=ancien").json()["data"]["items"],
    ]

    assert [lu["typeUtilisateur"] for lu in lus] == [present] * 6


@pytest.mark.parametrize(("role", "statut"), [("SUPERVISEUR", 200), ("MODERATEUR", 403)])
def test_un_ancien_role_a_les_droits_du_present(api, ancien, role, statut):
    client = api(ancien(role))

    assert client.get(COMPTES).status_code == 200
    assert client.get("/api/v1/roles/").status_code == statut


@pytest.mark.parametrize(("role", "present"), ROLES)
def test_un_ancien_role_recoit_un_dossier(api, gestionnaire, signalement, ancien, role, present):
    compte = ancien(role)

    api(gestionnaire).put(f"/api/v1/signalements/{signalement.pk}/assigner", {"gestionnaireId": str(compte.pk)})

    assert Signalement.objects.get().gestionnaire == compte


def test_envoyer_son_role_present_n_est_pas_en_changer(api, ancien):
    compte = ancien("MODERATEUR")

    assert api(compte).put(f"{COMPTES}me", {"typeUtilisateur": "GESTIONNAIRE"}).status_code == 200
    assert api(compte).put(f"{COMPTES}me", {"typeUtilisateur": "ADMIN_SYSTEME"}).status_code == 403


def test_un_ancien_superviseur_compte_comme_dernier_admin(api, ancien):
    compte = ancien("SUPERVISEUR")

    reponse = api(compte).put(f"{COMPTES}me", {"typeUtilisateur": "UTILISATEUR"})

    assert (reponse.status_code, reponse.json()["code"]) == (409, "LAST_ADMIN")


@pytest.mark.parametrize(("role", "present"), ROLES)
def test_une_ancienne_invitation_se_lit_et_donne_le_role_present(api, admin, mailoutbox, role, present):
    invitation = fabriques.invitation(admin, email="ines@campus.test", type_utilisateur=role)
    url = f"{COMPTES}invitations"

    lue = api(admin).get(url).json()["data"]["items"][0]
    api(admin).post(f"{url}/{invitation.pk}/renvoyer")
    faire_les_taches()
    corps = {"email": invitation.email, "motDePasse": MOT_DE_PASSE, "nom": "Lukusa", "prenom": "Inès"}
    cree = api(None).post(f"{AUTH}signup", {**corps, "invitationToken": jeton_recu(mailoutbox[0])}).json()["data"]

    assert (lue["typeUtilisateur"], cree["typeUtilisateur"]) == (present, present)
    assert role not in mailoutbox[0].body
    assert Compte.objects.get(email=invitation.email).type_utilisateur == present


def test_la_migration_des_roles_tourne_ce_qui_est_stocke(admin, etudiante, ancien):
    compte = ancien("SUPERVISEUR")
    fabriques.invitation(admin, type_utilisateur="MODERATEUR")

    import_module("accounts.migrations.0003_roles_herites").migrer(apps, None)

    compte.refresh_from_db()
    etudiante.refresh_from_db()
    assert (compte.type_utilisateur, etudiante.type_utilisateur) == ("ADMIN_SYSTEME", "UTILISATEUR")
    assert Invitation.objects.get().type_utilisateur == "GESTIONNAIRE"


def test_createsuperuser_cree_un_administrateur(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", MOT_DE_PASSE)

    call_command("createsuperuser", "--noinput", email="Chef@Campus.test", nom="Kalala", prenom="Jo", verbosity=0)

    compte = Compte.objects.get()
    assert (compte.email, compte.type_utilisateur, compte.nom_complet) == (
        "chef@campus.test",
        "ADMIN_SYSTEME",
        "Jo Kalala",
    )
    assert se_connecter(compte).json()["data"]["typeUtilisateur"] == "ADMIN_SYSTEME"
    assert Compte.objects.cherches("kalala").get() == compte


def test_createsuperuser_demande_l_adresse_le_nom_et_le_prenom(monkeypatch):
    questions = []

    class Terminal:
        def isatty(self):
            return True

    def repondre(question):
        questions.append(question)
        return ["chef@campus.test", "Kalala", "Jo"][len(questions) - 1]

    monkeypatch.setattr("builtins.input", repondre)
    monkeypatch.setattr("getpass.getpass", lambda *_: MOT_DE_PASSE)

    call_command("createsuperuser", interactive=True, stdin=Terminal(), verbosity=0)

    assert len(questions) == 3
    assert Compte.objects.get().check_password(MOT_DE_PASSE)
