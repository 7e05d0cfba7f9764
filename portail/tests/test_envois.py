"""What a browser sends that cannot be taken as it is: the text comes back, and the page says why."""

import re

import pytest
from django.http import HttpRequest
from django.test import Client

from discussions.models import Message
from portail.tests.outils import texte_de

pytestmark = pytest.mark.django_db
TEXTE = "Il m'attend encore.\nTous les soirs."
REPONDRE = "/dossiers/1/repondre/"
TUES = [{}, {"Origin": "null"}, {"Origin": ""}, {"Referer": ""}, {"Referer": "about:blank"}]
DIT = ["same-origin", "none"]
HOTE = "https://testserver"


@pytest.fixture
def en_https(settings):
    settings.SECURE_PROXY_SSL_HEADER = None
    return {"secure": True}


def renvoyee(page: str) -> str:
    return re.sub(r"\s+", " ", page.partition('name="contenu"')[2].partition(">")[2].partition("<")[0]).strip()


# --- Where a browser withholds the origin ----------------------------------------------------------------------------


@pytest.mark.parametrize("tue", TUES, ids=str)
@pytest.mark.parametrize("dit", DIT)
def test_sans_origine_le_jeton_decide_si_le_navigateur_dit_que_c_est_d_ici(visiteuse, en_https, tue, dit):
    visiteuse.signaler()

    envoye = visiteuse.envoyer(REPONDRE, {"contenu": TEXTE}, headers={**tue, "Sec-Fetch-Site": dit}, **en_https)

    assert envoye.status_code == 303
    assert Message.objects.get().contenu == TEXTE


@pytest.mark.parametrize("tue", TUES, ids=str)
def test_sans_origine_ni_rien_d_autre_le_texte_revient_et_rien_ne_part(visiteuse, en_https, tue):
    visiteuse.signaler()

    refus = visiteuse.envoyer(REPONDRE, {"contenu": TEXTE}, headers=tue, **en_https)

    page = texte_de(refus)
    assert refus.status_code == 403
    assert renvoyee(page) == TEXTE.replace("\n", " ")
    assert "cache de quelle page vient l'envoi" in page
    assert f'action="{REPONDRE}"' in page
    assert page.count("csrfmiddlewaretoken") == 1
    assert not Message.objects.exists()


@pytest.mark.parametrize("tue", TUES, ids=str)
def test_sans_origine_un_cookie_qu_aucun_voisin_ne_pose_suffit(visiteuse, en_https, settings, tue):
    """`__Host-`: with HTTPS_ONLY, the name that the service gives it."""
    visiteuse.signaler()
    settings.CSRF_COOKIE_NAME = "__Host-csrftoken"
    visiteuse.cookies["__Host-csrftoken"] = jeton = visiteuse.cookies["csrftoken"].value
    corps = {"contenu": TEXTE, "dossier": visiteuse.montre(1), "csrfmiddlewaretoken": jeton}

    assert visiteuse.post(REPONDRE, corps, headers=tue, **en_https).status_code == 303
    assert Message.objects.get().contenu == TEXTE


@pytest.mark.parametrize("origine", ["null", ""])
def test_sans_origine_la_page_d_ou_l_on_vient_suffit(visiteuse, en_https, origine):
    visiteuse.signaler()
    dit = {"Origin": origine, "Referer": f"{HOTE}/dossiers/1/"}
    dit_sans_https = {"Origin": origine, "Referer": "http://testserver/dossiers/1/"}

    assert visiteuse.envoyer(REPONDRE, {"contenu": TEXTE}, headers=dit, **en_https).status_code == 303
    assert visiteuse.envoyer(REPONDRE, {"contenu": "Sans HTTPS."}, headers=dit_sans_https).status_code == 303
    assert Message.objects.count() == 2


@pytest.mark.parametrize("tue", TUES, ids=str)
def test_sans_origine_un_faux_jeton_rend_le_texte_et_n_envoie_rien(visiteuse, en_https, tue):
    visiteuse.signaler()
    corps = {"contenu": TEXTE, "dossier": visiteuse.montre(1), "csrfmiddlewaretoken": "x" * 64}

    refus = visiteuse.post(REPONDRE, corps, headers={**tue, "Sec-Fetch-Site": "same-origin"}, **en_https)

    assert (refus.status_code, renvoyee(texte_de(refus))) == (403, TEXTE.replace("\n", " "))
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    "entetes",
    [
        {"Origin": "https://ailleurs.example"},
        {"Origin": "https://ailleurs.example", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Referer": "https://ailleurs.example/page"},
        {"Origin": "null", "Referer": "https://ailleurs.example/page"},
        {"Referer": "https://voisin.testserver/"},
        {"Referer": f"{HOTE}.ailleurs.example/"},
        {"Origin": "null", "Referer": "http://testserver:81/"},
        {"Origin": "", "Referer": "https://ailleurs.example/https://testserver/"},
    ],
    ids=str,
)
def test_un_autre_site_n_ecrit_rien_et_n_est_pas_montre(visiteuse, en_https, entetes):
    """Even with the right token and every cookie."""
    visiteuse.signaler()

    refus = visiteuse.envoyer(REPONDRE, {"contenu": TEXTE}, headers=entetes, **en_https)

    assert refus.status_code == 403
    assert "Il m'attend" not in texte_de(refus)
    assert "<form" not in texte_de(refus)
    assert not Message.objects.exists()


def test_sans_cookie_de_formulaire_se_taire_ne_rend_rien(en_https):
    """What a form of another site looks like in an old browser: Lax keeps the cookie at home."""
    refus = Client(enforce_csrf_checks=True).post(
        "/retrouver/", {"code": "six mots d'autrui"}, headers={"Origin": "null"}, **en_https
    )

    assert (refus.status_code, "six mots" in texte_de(refus)) == (403, False)


def test_l_origine_habituelle_suffit_comme_avant(visiteuse, en_https):
    visiteuse.signaler()

    assert visiteuse.envoyer(REPONDRE, {"contenu": TEXTE}, headers={"Origin": HOTE}, **en_https).status_code == 303


# --- Where it refuses cookies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("adresse", "champ"), [("/ecrire/faits/", "description"), ("/ecrire/details/", "lieu_incident")]
)
def test_un_navigateur_sans_cookie_l_apprend_et_retrouve_son_texte(adresse, champ):
    sans = Client(enforce_csrf_checks=True)
    sans.get(adresse)
    sans.cookies.clear()

    refus = sans.post(adresse, {champ: TEXTE, "csrfmiddlewaretoken": "x" * 64})

    page = texte_de(refus)
    assert refus.status_code == 403
    assert "Votre navigateur n'a envoyé aucun cookie" in page
    assert "S'il refuse les cookies, autorisez ceux de ce site" in page
    assert "Il m'attend encore." in page
    assert "trop longtemps" not in page
    assert f'action="{adresse}"' in page
    assert 'id="quitter"' in page


@pytest.mark.parametrize("origine", [{}, {"Origin": "null"}], ids=str)
@pytest.mark.parametrize(
    ("dit", "rendu"),
    [({"Sec-Fetch-Site": "same-origin"}, True), ({"Referer": f"{HOTE}/ecrire/faits/"}, True), ({}, False)],
    ids=str,
)
def test_sans_cookie_ni_origine_on_l_apprend_et_le_texte_revient_s_il_est_d_ici(en_https, origine, dit, rendu):
    """What says nothing at all of where it comes from is told what to do, and shown to nobody."""
    sans = Client(enforce_csrf_checks=True)

    refus = sans.post("/ecrire/faits/", {"description": TEXTE}, headers={**origine, **dit}, **en_https)

    page = texte_de(refus)
    assert refus.status_code == 403
    assert "Votre navigateur n'a envoyé aucun cookie" in page
    assert ("Il m'attend encore." in page, "« Retour »" in page) == (rendu, not rendu)


def test_un_autre_site_sans_cookie_n_est_conseille_sur_rien(en_https):
    refus = Client(enforce_csrf_checks=True).post(
        "/ecrire/faits/", {"description": TEXTE}, headers={"Origin": "https://ailleurs.example"}, **en_https
    )

    assert (refus.status_code, "cookie" in texte_de(refus), TEXTE in texte_de(refus)) == (403, False, False)


def test_un_jeton_perdu_ne_parle_pas_de_cookies(visiteuse):
    visiteuse.signaler()

    page = texte_de(visiteuse.post(REPONDRE, {"contenu": TEXTE, "csrfmiddlewaretoken": "x"}))

    assert "Cette page était ouverte depuis trop longtemps." in page
    assert "cookie" not in page


# --- What does not come whole ----------------------------------------------------------------------------------------


def test_un_envoi_coupe_ne_parle_a_personne_de_json(visiteuse, monkeypatch):
    visiteuse.signaler()

    def coupe(self):
        raise OSError("coupé")

    monkeypatch.setattr(HttpRequest, "body", property(coupe))
    monkeypatch.setattr("django.core.handlers.wsgi.LimitedStream.read", lambda *args: coupe(None))
    refus = visiteuse.envoyer(REPONDRE, {"contenu": TEXTE})

    page = texte_de(refus)
    assert "Votre envoi n'est pas arrivé entier" in page
    assert f'<a href="{REPONDRE}">Revenir à la page</a>' in page
    assert "JSON" not in page
    assert "trop longtemps" not in page


@pytest.mark.parametrize("adresse", ["/ecrire/faits/", "/equipe/dossiers/", "/invitation"])
def test_ce_qu_une_page_ne_peut_lire_ne_parle_pas_de_json(visiteuse, adresse):
    corps = b'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--XX--\r\n'

    refus = visiteuse.generic("POST", adresse, corps, "multipart/form-data; boundary=XX; charset=utf-7")

    assert refus.status_code == 400
    assert "JSON" not in texte_de(refus)
    assert "Votre envoi n'est pas arrivé entier." in texte_de(refus)


def test_l_api_parle_encore_de_json(client):
    refus = client.post("/api/v1/auth/login", b"{", content_type="application/json")

    assert "JSON" in refus.json()["message"]
