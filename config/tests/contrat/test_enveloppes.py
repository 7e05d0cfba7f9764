"""Every answer is an envelope, refusals too, wherever they are born."""

import re

import pytest
from django.db import InterfaceError, InternalError, OperationalError
from django.test import Client

from accounts import authentication
from config.tests.outils import document
from config.tests.outils.envois import CHEMINS, CORPS, ENVELOPPE, HORS_DOCUMENT, SIGNALER, verifier_enveloppe
from config.tests.outils.scene import Scene, exemple_de
from signalements import services as signalements

pytestmark = [pytest.mark.django_db, pytest.mark.longue]

TOUTES = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}


@pytest.mark.parametrize(
    "chemin", ["/api/v1/inconnu", "/api/v1/", "/api/v2/signalements", "/api/", "/api/v1/signalements/x/y/z", "/api/é"]
)
@pytest.mark.parametrize("methode", ["GET", "POST", "DELETE"])
def test_une_adresse_inconnue_est_un_404_dans_l_enveloppe(brut, chemin, methode):
    verifier_enveloppe(brut.generic(methode, chemin, b"{"), 404, "NOT_FOUND", chemin)


def test_hors_de_l_api_une_adresse_inconnue_est_une_page(brut):
    reponse = brut.get("/inconnue")

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.parametrize("chemin", CHEMINS)
def test_une_methode_de_trop_est_un_405_qui_dit_celles_qui_restent(brut, chemin):
    permises = {methode.upper() for methode in document()["paths"][chemin]}
    url = exemple_de(chemin)

    for methode in sorted(TOUTES - permises):
        reponse = brut.generic(methode, url, b"{")

        verifier_enveloppe(reponse, 405, "METHOD_NOT_ALLOWED", url)
        assert permises <= set(reponse.headers["Allow"].split(", ")) <= permises | {"HEAD", "OPTIONS"}


@pytest.mark.parametrize("chemin", HORS_DOCUMENT)
@pytest.mark.parametrize("methode", ["POST", "PUT", "DELETE"])
def test_la_documentation_ne_fait_que_se_lire(brut, chemin, methode):
    assert brut.generic(methode, chemin).status_code == 405


@pytest.mark.parametrize("chemin", [c for c in CHEMINS if "get" in document()["paths"][c]])
def test_head_repond_comme_get_sans_corps(chemin):
    client = Scene().client("admin")
    url = exemple_de(chemin)

    lu, tete = client.get(url), Client().head(url, headers={"Authorization": f"Bearer {client.jeton}"})

    assert (tete.status_code, tete.content) == (lu.status_code, b"")


@pytest.mark.parametrize("accepte", ["text/html", "application/xml", "image/*", "text/html;q=0.9"])
@pytest.mark.parametrize("chemin", ["/api/v1/config", "/health", "/api/v1/comptes/me", "/api/v1/signalements/"])
def test_ce_qui_n_est_pas_du_json_est_un_406(brut, chemin, accepte):
    verifier_enveloppe(brut.get(chemin, headers={"Accept": accepte}), 406, "NOT_ACCEPTABLE", chemin)


@pytest.mark.parametrize(
    "accepte", ["*/*", "application/json", "application/*", "text/html,*/*;q=0.8", "application/json; charset=utf-8"]
)
def test_qui_accepte_le_json_le_recoit(brut, accepte):
    assert brut.get("/api/v1/config", headers={"Accept": accepte}).status_code == 200


@pytest.mark.parametrize(
    "accepte",
    ["application/problem+json", "Application/Problem+JSON; charset=utf-8", "text/html, application/problem+json"],
)
@pytest.mark.parametrize(("chemin", "statut"), [("/api/v1/config", 200), ("/health", 200), ("/api/v1/comptes/me", 401)])
def test_qui_veut_ses_erreurs_en_problem_json_recoit_notre_json_sous_son_nom(brut, chemin, statut, accepte):
    reponse = brut.get(chemin, headers={"Accept": accepte})

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (statut, "application/json")
    assert reponse.json()["statusCode"] == statut


@pytest.mark.parametrize("accepte", ["application/problem+xml", "application/vnd.api+json", "application/problem"])
def test_un_autre_type_du_meme_air_reste_un_406(brut, accepte):
    verifier_enveloppe(brut.get("/api/v1/config", headers={"Accept": accepte}), 406, "NOT_ACCEPTABLE", "/api/v1/config")


def test_un_fichier_ne_se_demande_pas_en_problem_json(api, evenement, etudiante):
    url = f"/api/v1/calendriers/{evenement.pk}/ics"

    assert api(etudiante).get(url, headers={"Accept": "application/problem+json"}).status_code == 406


@pytest.mark.parametrize("chemin", HORS_DOCUMENT)
@pytest.mark.parametrize(
    "accepte", ["application/json", "application/problem+json", "text/html", "image/png", "n'importe quoi"]
)
def test_la_documentation_ne_tombe_pas_sur_un_type_refuse(brut, chemin, accepte):
    assert brut.get(chemin, headers={"Accept": accepte}).status_code in (200, 406)


@pytest.mark.parametrize("hote", ["ailleurs.example", "testserver.ailleurs.example", "a b", "testserver:x", "<script>"])
@pytest.mark.parametrize("chemin", ["/api/v1/config", "/health", "/api/v1/inconnu"])
def test_un_hote_qui_n_est_pas_le_notre_est_refuse(brut, chemin, hote):
    reponse = brut.get(chemin, headers={"Host": hote})

    corps = verifier_enveloppe(reponse, 400, "MALFORMED_REQUEST", chemin)
    assert hote not in corps["message"]


@pytest.mark.parametrize("chemin", ["/api/v1/auth/login", "/api/v1/signalements/", "/api/v1/inconnu"])
def test_un_corps_annonce_trop_grand_est_refuse_sans_etre_lu(brut, chemin):
    reponse = brut.generic("POST", chemin, b"{}", "application/json", CONTENT_LENGTH=str(3 * 1024 * 1024))

    verifier_enveloppe(reponse, 413, "BODY_TOO_LARGE", chemin)


def test_une_panne_ne_dit_que_son_request_id(api, brut, monkeypatch, etudiante, caplog):
    def tomber(**champs):
        raise RuntimeError("le mot de passe de la base est 1234")

    monkeypatch.setattr(signalements, "creer", tomber)
    bearer = {"Authorization": f"Bearer {api(etudiante).jeton}"}

    reponse = brut.post(SIGNALER, CORPS, "application/json", headers=bearer)

    corps = verifier_enveloppe(reponse, 500, "INTERNAL_ERROR", SIGNALER)
    assert corps.keys() == ENVELOPPE
    assert not re.search(r"1234|Runtime|Traceback|base", f"{corps['error']} {corps['code']} {corps['message']}")
    assert [r.exc_info[0] for r in caplog.records if r.exc_info] == [RuntimeError]


def transaction_refusee(etat: str) -> InternalError:
    """What Django makes of an SQLSTATE of class 25."""
    erreur = InternalError("10.0.0.3")
    erreur.__cause__ = SimpleError(etat)
    return erreur


class SimpleError(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    "panne",
    [
        OperationalError("connexion à 10.0.0.3 refusée"),
        InterfaceError("fermée"),
        transaction_refusee("25006"),  # a standby, or a base that is read-only
        transaction_refusee("25P03"),  # idle for too long in its transaction
    ],
)
def test_une_base_absente_est_un_503_qui_dit_quand_revenir(api, etudiante, monkeypatch, panne):
    def tomber(**champs):
        raise panne

    client = api(etudiante)
    monkeypatch.setattr(signalements, "creer", tomber)

    reponse = client.post(SIGNALER, CORPS)

    corps = verifier_enveloppe(reponse, 503, "SERVICE_UNAVAILABLE", SIGNALER)
    assert int(reponse.headers["Retry-After"]) > 0
    assert "10.0.0.3" not in corps["message"]


def test_une_base_absente_des_l_authentification_est_un_503(api, etudiante, monkeypatch):
    client = api(etudiante)

    def absente(*_demande, **_options):
        raise OperationalError("absente")

    monkeypatch.setattr(authentication, "session_ouverte", absente)

    reponse = client.get("/api/v1/comptes/me")

    verifier_enveloppe(reponse, 503, "SERVICE_UNAVAILABLE", "/api/v1/comptes/me")


@pytest.mark.parametrize(("panne", "statut"), [(OperationalError("absente"), 503), (RuntimeError("autre"), 500)])
def test_une_panne_avant_la_page_est_une_page_et_une_ligne_du_journal(brut, monkeypatch, caplog, panne, statut):
    def tomber(self):
        raise panne

    monkeypatch.setattr("socle.pages.sessions.SessionStore.load", tomber)
    brut.cookies["sessionid"] = "a" * 32

    reponse = brut.get("/admin/")

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (statut, "text/html; charset=utf-8")
    assert [r.exc_info[1] for r in caplog.records if r.name == "campus.erreurs"] == [panne]


def test_une_reussite_tient_dans_son_enveloppe(brut):
    corps = brut.get("/api/v1/config").json()

    assert corps.keys() == {"data", "message", "statusCode", "timestamp"}
    assert (corps["statusCode"], corps["message"]) == (200, "Configuration.")
    assert corps["timestamp"].endswith("Z")
