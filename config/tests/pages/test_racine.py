"""What programs ask of the root of the host."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from config.serveur.pont import est_sans_base
from config.tests.outils.typographie import ordinaire

PROGRAMMES = ["/robots.txt", "/favicon.ico", "/.well-known/security.txt", "/.well-known/change-password"]
CONTACTS = ["mailto:securite@campus.test", "https://campus.test/faille"]


@pytest.fixture(autouse=True)
def _contacts(settings):
    settings.SECURITY_CONTACT = CONTACTS


def test_aucun_moteur_n_indexe_rien(client):
    reponse = client.get("/robots.txt")

    assert (reponse.status_code, reponse["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert reponse.content.decode().splitlines() == [
        "User-agent: *",
        "Allow: /api/v1/calendriers/flux.ics",
        "Disallow: /",
    ]


@pytest.mark.parametrize("chemin", ["/equipe/dossiers/", "/mot-de-passe-oublie/", "/admin/login/", "/robots.txt"])
@pytest.mark.parametrize("methode", ["PUT", "DELETE", "TRACE"])
def test_ce_qu_aucune_page_ne_fait_est_refuse_avant_tout_formulaire(chemin, methode):
    refus = Client(enforce_csrf_checks=True).generic(methode, chemin)

    assert (refus.status_code, refus.headers["Allow"]) == (405, "GET, HEAD, POST, OPTIONS")
    assert "Cette méthode n'est pas permise ici." in ordinaire(refus.content.decode())


def test_une_page_qui_n_existe_pas_n_a_pas_de_methode():
    assert Client(enforce_csrf_checks=True).put("/inconnue/").status_code == 404


def test_l_icone_se_trouve_sans_page_qui_la_nomme(client):
    reponse = client.get("/favicon.ico", follow=True)

    assert [statut for _adresse, statut in reponse.redirect_chain] == [302]
    assert (reponse.status_code, reponse["Content-Type"]) == (200, "image/svg+xml")


def test_qui_trouve_une_faille_sait_a_qui_la_dire(client, settings):
    reponse = client.get("/.well-known/security.txt")

    champs = [ligne.split(": ", 1) for ligne in reponse.content.decode().splitlines()]
    assert (reponse.status_code, reponse["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert [valeur for nom, valeur in champs if nom == "Contact"] == CONTACTS
    (fin,) = [datetime.fromisoformat(valeur) for nom, valeur in champs if nom == "Expires"]
    assert timedelta(days=88) < fin - datetime.now(UTC) < timedelta(days=91)
    assert ["Canonical", f"{settings.PUBLIC_URL}/.well-known/security.txt"] in champs


def test_sans_contact_la_page_de_securite_n_existe_pas(client, settings):
    settings.SECURITY_CONTACT = []

    reponse = client.get("/.well-known/security.txt")

    assert (reponse.status_code, reponse["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.django_db
def test_un_gestionnaire_de_mots_de_passe_mene_ou_l_on_en_obtient_un_autre(client):
    reponse = client.get("/.well-known/change-password", follow=True)

    assert reponse.redirect_chain == [(reverse("admin_password_reset"), 302)]
    assert reponse.status_code == 200
    assert 'type="email"' in reponse.content.decode()


def test_ce_que_ces_programmes_cherchent_de_plus_n_existe_pas(client):
    inexistante = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"

    assert client.get(inexistante).status_code == 404


@pytest.mark.parametrize("chemin", PROGRAMMES)
@pytest.mark.parametrize("contacts", [CONTACTS, []])
def test_rien_de_cela_ne_demande_la_base(client, settings, chemin, contacts):
    """Without the mark of the database a query would fail; a cookie does not change that."""
    settings.SECURITY_CONTACT = contacts
    client.cookies["sessionid"] = "a" * 32

    assert client.get(chemin).status_code in (200, 302, 404)
    assert est_sans_base({"path": chemin})


@pytest.mark.parametrize("chemin", PROGRAMMES)
def test_rien_de_cela_ne_s_ecrit(client, chemin):
    assert client.head(chemin).status_code == client.get(chemin).status_code
    assert client.post(chemin).status_code == 405
