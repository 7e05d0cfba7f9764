"""One address however it is typed: of another country's domain, in full width, wrapped in marks that show nothing."""

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Compte, DemandeMotDePasse, Invitation
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, entrer, se_connecter
from config.tests.outils import ClientApi, champs_refuses
from socle.api.champs import Courriel
from socle.domaine.adresses import canonique
from socle.domaine.limites import Taux
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
ICI = "awa@xn--mnchen-3ya.example"
FORMES = [
    "Awa@MÜNCHEN.example",
    "awa@mu\u0308nchen.example",
    "awa@XN--MNCHEN-3YA.example",
    "\u2068awa@münchen.example\u2069",
    "\u202aawa@münchen.example\u202c",
    "awa@münchen.example\u200b",
    "a\u00adwa@mün\u200dchen.example\ufeff",
    "ａｗａ＠ｍüｎｃｈｅｎ．ｅｘａｍｐｌｅ",
    "awa@münchen。example",
    "\u00a0awa@münchen.example\u202f",
    "awa@mün\U000e0041chen.example",
    "awa@mün\u3164chen.example",
]
QUELQUES = [FORMES[0], FORMES[3], FORMES[7]]
CORPS = {"motDePasse": "Rivière-calme-42", "nom": "Diop", "prenom": "Awa"}


@pytest.fixture
def compte():
    return fabriques.compte(email=ICI)


@pytest.mark.parametrize("tapee", [ICI, *FORMES])
def test_une_adresse_se_lit_sous_une_forme(tapee):
    assert Courriel().run_validation(tapee) == canonique(tapee) == ICI


@pytest.mark.parametrize("tapee", QUELQUES)
def test_une_adresse_est_un_compte(tapee, compte, api, admin):
    assert se_connecter(compte, email=tapee).status_code == 200
    assert api(None).post(f"{AUTH}signup", {**CORPS, "email": tapee}).status_code == 409
    cree = api(admin).post("/api/v1/comptes/", {**CORPS, "email": tapee, "typeUtilisateur": "UTILISATEUR"})
    assert cree.status_code == 409
    invitee = api(admin).post("/api/v1/comptes/invitations/", {"email": tapee, "typeUtilisateur": "GESTIONNAIRE"})
    assert invitee.status_code == 409
    change = api(admin).put(f"/api/v1/comptes/{admin.pk}", {"email": tapee})
    assert change.status_code == 409
    assert Compte.objects.count() == 2


@pytest.mark.parametrize("tapee", QUELQUES)
def test_ce_qui_est_garde_est_la_forme_que_les_serveurs_de_courriel_lisent(tapee, api, admin):
    corps = {"email": tapee, "typeUtilisateur": "GESTIONNAIRE"}
    assert api(admin).post("/api/v1/comptes/invitations/", corps).json()["data"]["email"] == ICI
    Invitation.objects.all().delete()
    assert api(None).post(f"{AUTH}signup", {**CORPS, "email": tapee}).json()["data"]["email"] == ICI


@pytest.mark.parametrize("tapee", QUELQUES)
def test_un_lien_part_a_l_adresse_gardee(tapee, compte, mailoutbox):
    ClientApi().post(f"{AUTH}forgot-password", {"email": tapee})
    faire_les_taches()
    DemandeMotDePasse.objects.all().delete()
    Client().post("/mot-de-passe-oublie", {"email": tapee})
    faire_les_taches()

    assert [message.to for message in mailoutbox] == [[ICI], [ICI]]


@pytest.mark.usefixtures("sans_confirmation")
@pytest.mark.parametrize("tapee", QUELQUES)
def test_l_espace_de_l_equipe_lit_la_meme_adresse(tapee, admin):
    fabriques.admin(email=ICI)
    client = entrer(tapee)
    assert client.get("/admin/").status_code == 200

    donnees = {"prenom": "Awa", "nom": "Diop", "type_utilisateur": "UTILISATEUR"}
    autre = fabriques.compte(email="autre@campus.test")
    client.post(f"/admin/accounts/compte/{autre.pk}/change/", {**donnees, "email": tapee})
    autre.refresh_from_db()
    assert autre.email == "autre@campus.test"
    client.post(f"/admin/accounts/compte/{autre.pk}/change/", {**donnees, "email": tapee.replace("@", "2@")})
    client.post(f"/admin/accounts/compte/{autre.pk}/change/", {**donnees, "email": tapee.replace("＠", "2＠")})
    autre.refresh_from_db()
    assert autre.email == ICI.replace("@", "2@")


@pytest.mark.parametrize(
    "illisible", ["awa@mün chen.example", "awa@-é-.example", "awa@é_é.example", "josé@campus.test", "\u200b@é.fr", "é"]
)
def test_ce_qui_ne_se_lit_pas_se_refuse_clairement(illisible, api, admin):
    assert champs_refuses(api(None).post(f"{AUTH}signup", {**CORPS, "email": illisible})) == {"email"}
    assert champs_refuses(se_connecter(admin, email=illisible)) == {"email"}
    assert champs_refuses(api(admin).put(f"/api/v1/comptes/{admin.pk}", {"email": illisible})) == {"email"}
    client = entrer(admin.email)
    donnees = {"email": illisible, "prenom": "Awa", "nom": "Diop", "type_utilisateur": "ADMIN_SYSTEME"}
    page = client.post(f"/admin/accounts/compte/{admin.pk}/change/", donnees)
    assert page.context["adminform"].form.errors.keys() == {"email"}


def test_l_espace_de_l_equipe_lit_un_nom_comme_l_api(admin):
    client = entrer(admin.email)
    donnees = {"email": admin.email, "prenom": "Rose", "type_utilisateur": "ADMIN_SYSTEME"}
    page = client.post(f"/admin/accounts/compte/{admin.pk}/change/", {**donnees, "nom": "\u3164\u200b"})
    assert page.context["adminform"].form.errors.keys() == {"nom"}
    client.post(f"/admin/accounts/compte/{admin.pk}/change/", {**donnees, "nom": "Kabi\u202ela\u2067"})
    admin.refresh_from_db()
    assert admin.nom == "Kabila\u2067\u2069"


def test_l_espace_de_l_equipe_lit_un_numero_comme_l_api(admin):
    client = entrer(admin.email)
    donnees = {"email": admin.email, "prenom": "Rose", "nom": "Kabila", "type_utilisateur": "ADMIN_SYSTEME"}
    for tape in ("00243\u202f(0)812\u202f345\u202f621", "pas un numéro"):
        client.post(f"/admin/accounts/compte/{admin.pk}/change/", {**donnees, "telephone": tape})
        admin.refresh_from_db()
        assert admin.telephone == "+243812345621"
    client.post(f"/admin/accounts/compte/{admin.pk}/change/", {**donnees, "telephone": ""})
    admin.refresh_from_db()
    assert admin.telephone == ""


@pytest.mark.parametrize("domaine", ["münchen.example", "xn--mnchen-3ya.example", "ＭÜNCHEN.example"])
def test_un_domaine_admis_l_est_sous_ses_deux_formes(domaine, api, settings):
    settings.SIGNUP_EMAIL_DOMAINS = [domaine, "é_illisible"]

    assert api(None).post(f"{AUTH}signup", {**CORPS, "email": "awa@MÜNCHEN.example"}).status_code == 201
    assert champs_refuses(api(None).post(f"{AUTH}signup", {**CORPS, "email": "awa@autre.example"})) == {"email"}


def test_les_essais_se_comptent_par_compte_et_non_par_ecriture(compte, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "login": Taux(2, 3600)}

    statuts = [se_connecter(compte, email=forme, motDePasse="faux").status_code for forme in FORMES[:3]]
    assert statuts == [401, 401, 429]


def test_sa_propre_adresse_autrement_ecrite_ne_change_rien(compte, api):
    assert api(compte).put(f"/api/v1/comptes/{compte.pk}", {"email": FORMES[0]}).status_code == 200
    assert api(compte).put(f"/api/v1/comptes/{compte.pk}", {"email": "autre@campus.test"}).status_code == 403


def test_les_commandes_lisent_la_meme_adresse(compte, monkeypatch):
    monkeypatch.setattr("getpass.getpass", lambda *_: "Rivière-calme-43")
    call_command("changepassword", FORMES[0])
    compte.refresh_from_db()
    assert not compte.check_password(MOT_DE_PASSE)

    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "Rivière-calme-44")
    call_command("createsuperuser", "--no-input", "--email", "Rose@MÜNCHEN.example", "--nom=R", "--prenom=R")
    assert Compte.objects.filter(email="rose@xn--mnchen-3ya.example").exists()


@pytest.mark.parametrize("tapee", ["alıce@campus.test", "ｅ́va@campus.test", "аwa@campus.test"])
def test_ce_qui_passerait_pour_l_adresse_d_une_autre_est_refuse(tapee, api, admin):
    assert champs_refuses(api(None).post(f"{AUTH}signup", {**CORPS, "email": tapee})) == {"email"}
    page = entrer(admin.email).post(
        f"/admin/accounts/compte/{admin.pk}/change/",
        {"prenom": "Rose", "nom": "Kabila", "type_utilisateur": "ADMIN_SYSTEME", "email": tapee},
    )
    assert (page.status_code, "errorlist" in page.content.decode()) == (200, True)
