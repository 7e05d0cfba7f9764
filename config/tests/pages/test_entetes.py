"""The headers of every answer."""

import gzip
import html
import json
import re
from typing import Any

import pytest

from config.tests.outils import document
from config.tests.outils.envois import HORS_DOCUMENT, SIGNALER, verifier_enveloppe
from config.tests.outils.typographie import ordinaire

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("chemin", ["/api/v1/config", "/health", "/api/v1/comptes/me", "/api/v1/inconnu"])
def test_une_reponse_de_l_api_ne_se_garde_pas_et_ne_se_devine_pas(brut, chemin):
    entetes = brut.get(chemin).headers

    assert (entetes["Cache-Control"], entetes["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert entetes["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in entetes["Content-Security-Policy"]
    assert "Set-Cookie" not in entetes


def test_un_hote_refuse_recoit_les_memes_en_tetes(brut):
    entetes = brut.get("/api/v1/config", headers={"Host": "ailleurs.example"}).headers

    assert entetes["Cache-Control"] == "no-store"


def test_un_hote_admis_puis_retire_est_refuse_et_l_inverse(brut, settings):
    def recoit(hote: str) -> int:
        return int(brut.get("/api/v1/config", headers={"Host": hote}).status_code)

    settings.ALLOWED_HOSTS = ["campus.example"]
    assert [recoit(h) for h in ("campus.example", "campus.example:8443", "ailleurs.example", "campus.example")] == [
        200,
        200,
        400,
        200,
    ]

    settings.ALLOWED_HOSTS = ["ailleurs.example"]
    assert [recoit(h) for h in ("campus.example", "ailleurs.example")] == [400, 200]


@pytest.mark.parametrize("hote", ["", "a" * 10_000, "campus.example/chemin", "[::1", "é.example", "campus.example:x"])
def test_un_hote_qui_n_en_est_pas_un_est_refuse(brut, settings, hote):
    settings.ALLOWED_HOSTS = ["campus.example"]

    assert brut.get("/api/v1/config", headers={"Host": hote}).status_code == 400


@pytest.mark.parametrize("chemin", HORS_DOCUMENT)
def test_la_documentation_est_servie_sans_etre_devinee(brut, chemin):
    assert brut.get(chemin).headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("accepte", "est_comprime"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("identity", False),
        ("gzip; q=0, *", False),
        ("gzip;q=0.0", False),
        ("*;q=0", False),
        ("xgzip", False),
    ],
)
def test_la_description_est_compacte_et_comprimee_pour_qui_l_accepte(brut, accepte, est_comprime):
    reponse = brut.get("/openapi.json", headers={"Accept-Encoding": accepte})

    recu = gzip.decompress(reponse.content) if est_comprime else reponse.content
    assert reponse.headers.get("Content-Encoding") == ("gzip" if est_comprime else None)
    assert {"Accept", "Accept-Encoding"} <= set(reponse.headers["Vary"].split(", "))
    assert json.loads(recu) == document()
    assert recu == json.dumps(document(), ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize("accepte", ["gzip", "identity"])
def test_la_description_que_l_on_a_deja_ne_se_renvoie_pas(brut, accepte):
    def demander(**entetes: str) -> Any:
        return brut.get("/openapi.json", headers={"Accept-Encoding": accepte, **entetes})

    premiere = demander()
    etag = premiere.headers["ETag"]
    connue, affaiblie, autre = (demander(**{"If-None-Match": e}) for e in (etag, f'"x", W/{etag}', '"x"'))

    assert (connue.status_code, connue.content, connue.headers["ETag"]) == (304, b"", etag)
    assert (affaiblie.status_code, autre.status_code) == (304, 200)
    assert premiere.headers["Cache-Control"] == "no-cache"


def test_la_description_comprimee_a_son_etiquette_a_elle(brut):
    etags = {brut.get("/openapi.json", headers={"Accept-Encoding": a}).headers["ETag"] for a in ("gzip", "identity")}

    assert len(etags) == 2


@pytest.mark.parametrize(
    ("accepte", "type_"),
    [
        ("*/*", "application/vnd.oai.openapi+json"),
        ("application/vnd.oai.openapi+json", "application/vnd.oai.openapi+json"),
        ("application/json", "application/json"),
    ],
)
def test_la_description_a_le_type_que_l_on_demande(brut, accepte, type_):
    reponse = brut.get("/openapi.json", headers={"Accept": accepte})

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (200, type_)


def test_la_description_refusee_est_dans_l_enveloppe(brut):
    verifier_enveloppe(
        brut.get("/openapi.json", headers={"Accept": "text/html"}), 406, "NOT_ACCEPTABLE", "/openapi.json"
    )


def test_chaque_requete_a_son_identifiant_quoi_que_dise_le_client(brut):
    vus = {brut.get("/health", headers={"X-Request-Id": "le-mien"}).headers["X-Request-Id"] for _ in range(3)}

    assert len(vus) == 3
    assert all(re.fullmatch(r"[0-9a-f]{32}", vu) for vu in vus)


@pytest.mark.parametrize(
    ("langues", "attendue"),
    [
        ("en", "en"),
        ("en-GB,en;q=0.9,fr;q=0.5", "en"),
        ("fr", "fr"),
        ("", "fr"),
        ("de", "fr"),
        ("*", "fr"),
        ("x" * 600, "fr"),
    ],
)
@pytest.mark.parametrize("chemin", ["/api/v1/config", "/api/v1/comptes/me", "/api/v1/inconnu"])
def test_la_langue_change_les_phrases_et_rien_d_autre(brut, chemin, langues, attendue):
    phrases = {
        "/api/v1/config": ("Configuration.", "Configuration."),
        "/api/v1/comptes/me": ("Connectez-vous pour continuer.", "Sign in to continue."),
        "/api/v1/inconnu": ("Cette adresse n'existe pas.", "This address does not exist."),
    }

    corps = brut.get(chemin, headers={"Accept-Language": langues}).json()
    temoin = brut.get(chemin).json()

    assert corps["message"] == phrases[chemin][attendue == "en"]
    variables = {"message", "timestamp", "requestId"}
    for lu in (corps, temoin):
        lu.get("data", {}).pop("vocabulaires", None)  # words too: test_vocabulaires
    assert {k: v for k, v in corps.items() if k not in variables} == {
        k: v for k, v in temoin.items() if k not in variables
    }


def test_les_champs_a_corriger_se_disent_dans_la_langue_demandee(api, etudiante):
    client = api(etudiante)

    francais, anglais = (
        client.post(SIGNALER, {}, headers={"Accept-Language": langue}).json() for langue in ("fr", "en")
    )

    assert [(d["field"], d["code"]) for d in francais["details"]] == [
        (d["field"], d["code"]) for d in anglais["details"]
    ]
    assert francais["details"][0]["message"] != anglais["details"][0]["message"]


def test_une_adresse_inconnue_est_une_page_sans_phrase_vide(brut):
    page = brut.get("/nexiste/", headers={"Accept": "text/html"})

    assert (page.status_code, page["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "<h1>Cette adresse n'existe pas." in ordinaire(html.unescape(page.text))
    assert "<p></p>" not in page.text
