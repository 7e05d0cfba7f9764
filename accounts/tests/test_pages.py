import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Compte, DemandeMotDePasse, Invitation
from accounts.services import oublis
from accounts.tests import fabriques
from accounts.tests.outils import se_connecter, statut_du_jeton

pytestmark = pytest.mark.django_db
NOUVEAU = "Baobab-penché-77"
ACCUEIL = "/"
PAGES = ["/reinitialisation", "/invitation"]


@pytest.fixture
def liens(etudiante, admin):
    """The living token of each page."""
    oublis.demander(email=etudiante.email)
    invitation = fabriques.invitation(admin, email="ines@campus.test")
    return {"/reinitialisation": DemandeMotDePasse.objects.get().jeton, "/invitation": invitation.jeton}


def formulaire(page, jeton, mot_de_passe=NOUVEAU):
    if page == "/reinitialisation":
        return {"token": jeton, "nouveau_mot_de_passe": mot_de_passe}
    return {"token": jeton, "nom": "Lukusa", "prenom": "Inès", "mot_de_passe": mot_de_passe}


@pytest.mark.parametrize("page", PAGES)
def test_un_lien_vivant_ouvre_un_formulaire(client, liens, page):
    reponse = client.get(page, {"token": liens[page]})

    texte = reponse.content.decode()
    email = "awa@campus.test" if page == "/reinitialisation" else "ines@campus.test"
    assert reponse.status_code == 200
    assert '<html lang="fr">' in texte
    assert "8 caractères au moins." in texte
    assert f"<strong>{email}</strong>" in texte
    assert f'value="{liens[page]}"' in texte
    assert 'type="password"' in texte


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("jeton", [None, "", "n-importe-quoi", "a:b", "é" * 600, "a\x00b"])
def test_un_lien_mort_le_dit_et_dit_quoi_faire(client, liens, page, jeton):
    reponse = client.get(page, {} if jeton is None else {"token": jeton})

    assert reponse.status_code == 404
    assert "Ce lien n'est plus valable" in reponse.content.decode()
    assert "<form" not in reponse.content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_le_lien_d_une_page_n_ouvre_pas_l_autre(client, liens, page):
    l_autre = next(chemin for chemin in PAGES if chemin != page)

    assert client.get(page, {"token": liens[l_autre]}).status_code == 404


def test_la_page_change_le_mot_de_passe_une_seule_fois(client, etudiante, liens):
    session = se_connecter(etudiante).json()["data"]
    donnees = formulaire("/reinitialisation", liens["/reinitialisation"])

    premiere, seconde = (client.post("/reinitialisation", donnees) for _rang in range(2))

    assert (premiere.status_code, seconde.status_code) == (200, 404)
    assert "Votre mot de passe est changé." in premiere.content.decode()
    assert statut_du_jeton(session["token"]) == 401
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


def test_la_page_d_invitation_cree_le_compte_invite(client, liens):
    reponse = client.post("/invitation", formulaire("/invitation", liens["/invitation"]))

    compte = Compte.objects.get(email="ines@campus.test")
    assert (reponse.status_code, compte.type_utilisateur) == (200, "GESTIONNAIRE")
    assert "Votre compte est créé." in reponse.content.decode()
    assert Invitation.objects.get().statut == "ACCEPTED"


def test_une_adresse_envoyee_a_la_page_d_invitation_ne_compte_pas(client, liens):
    donnees = {**formulaire("/invitation", liens["/invitation"]), "email": "pirate@campus.test"}

    client.post("/invitation", {**donnees, "type_utilisateur": "ADMIN_SYSTEME"})

    assert not Compte.objects.filter(email="pirate@campus.test").exists()
    assert Compte.objects.get(email="ines@campus.test").type_utilisateur == "GESTIONNAIRE"


def test_une_invitee_qui_a_deja_un_compte_l_apprend(client, liens):
    fabriques.compte(email="ines@campus.test")

    reponse = client.post("/invitation", formulaire("/invitation", liens["/invitation"]))

    assert reponse.status_code == 200
    assert "Un compte existe déjà" in reponse.content.decode()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("langue", "raison"),
    [("fr", "Ce mot de passe est trop court"), ("en", "This password is too short")],
)
def test_un_mot_de_passe_faible_dit_pourquoi_dans_la_langue_demandee(client, etudiante, liens, page, langue, raison):
    donnees = formulaire(page, liens[page], "Cour7!x")

    reponse = client.post(page, donnees, headers={"Accept-Language": langue})

    texte = reponse.content.decode()
    assert raison in texte
    assert f'<html lang="{langue}">' in texte
    assert "Cour7!x" not in texte
    etudiante.refresh_from_db()
    assert not etudiante.check_password("Cour7!x")
    assert not Compte.objects.filter(email="ines@campus.test").exists()


@pytest.mark.parametrize("page", PAGES)
def test_l_anglais_est_servi_a_qui_le_demande(client, liens, page):
    texte = client.get(page, {"token": liens[page]}, headers={"Accept-Language": "en"}).content.decode()

    assert '<html lang="en">' in texte
    assert "password" in texte.partition("<main>")[2].lower()
    assert "mot de passe" not in texte.lower()


@pytest.mark.parametrize("page", PAGES)
def test_un_formulaire_incomplet_revient_avec_ses_raisons(client, liens, page):
    reponse = client.post(page, {"token": liens[page]})

    assert reponse.status_code == 200
    assert 'role="alert"' in reponse.content.decode()


def test_une_page_dit_d_un_coup_tout_ce_qui_est_a_corriger(client, liens):
    donnees = formulaire("/invitation", liens["/invitation"], "Lukusa12") | {"prenom": ""}

    texte = client.post("/invitation", donnees).content.decode()

    assert "Ce champ est obligatoire." in texte
    assert "trop semblable" in texte
    assert not Compte.objects.filter(email="ines@campus.test").exists()


@pytest.mark.parametrize("page", PAGES)
def test_le_jeton_de_formulaire_est_exige(liens, page):
    client = Client(enforce_csrf_checks=True)

    reponse = client.post(page, formulaire(page, liens[page]))

    assert reponse.status_code == 403
    assert DemandeMotDePasse.objects.filter(date_utilisation__isnull=True).exists()
    assert Invitation.objects.get().statut == "PENDING"


@pytest.mark.parametrize("page", PAGES)
def test_le_formulaire_de_la_page_passe_sa_propre_garde(liens, page):
    client = Client(enforce_csrf_checks=True)
    texte = client.get(page, {"token": liens[page]}).content.decode()
    garde = texte.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]

    reponse = client.post(page, {**formulaire(page, liens[page]), "csrfmiddlewaretoken": garde})

    assert (reponse.status_code, 'class="fait"' in reponse.content.decode()) == (200, True)


@pytest.mark.parametrize("page", PAGES)
def test_le_lien_ne_sort_ni_par_le_referent_ni_par_un_cache_ni_par_un_cadre(client, liens, page):
    reponse = client.get(page, {"token": liens[page]})

    assert reponse["Referrer-Policy"] == "same-origin"
    assert "no-store" in reponse["Cache-Control"]
    assert reponse["X-Frame-Options"] == "DENY"
    assert "default-src 'self'" in reponse["Content-Security-Policy"]
    assert "http" not in reponse.content.decode().replace("http-equiv", "")


def test_une_invitation_expiree_pendant_la_saisie_ne_cree_rien(client, liens):
    Invitation.objects.update(expire_le=timezone.now())

    reponse = client.post("/invitation", formulaire("/invitation", liens["/invitation"]))

    assert reponse.status_code == 404
    assert not Compte.objects.filter(email="ines@campus.test").exists()


def test_l_accueil_mene_a_la_documentation_et_a_l_espace_de_l_equipe(client):
    texte = client.get(ACCUEIL).content.decode()

    assert 'href="/api/v1/docs"' in texte
    assert 'href="/admin/"' in texte
