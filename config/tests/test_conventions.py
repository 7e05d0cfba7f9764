"""What holds for every route: its two spellings, its envelopes, headers, limits, and what the log does not say."""

import ast
import gettext
import gzip
import json
import logging
import re
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import polib
import pytest
from django.apps import apps
from django.conf import settings as reglages
from django.core.cache import cache
from django.db import InterfaceError, InternalError, OperationalError
from django.db.models import CharField, JSONField, TextField
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils.translation.template import templatize

from accounts import authentication
from accounts.tests.fabriques import MOT_DE_PASSE
from calendrier.services import ouvrir_flux
from config.tests.outils import acteur_de, document
from config.tests.test_matrice import Scene, exemple_de, methodes_de
from signalements import services as signalements
from signalements.tests import fabriques
from socle.api import sondes
from socle.api.reseau import adresse_client, cle_adresse, venu_en_https
from socle.domaine import limites as throttling
from socle.domaine.limites import Taux
from socle.journal import Lignes

pytestmark = pytest.mark.django_db
CHEMINS = sorted(document()["paths"])
HORS_DOCUMENT = ["/openapi.json", "/api/v1/openapi.json", "/api/v1/docs", "/api/v1/redoc"]
TOUTES = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
CORPS = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}
SIGNALER = "/api/v1/signalements/"
ENVELOPPE = {"error", "message", "statusCode", "timestamp", "path", "code", "requestId"}


@pytest.fixture
def brut():
    """A client without credentials that checks nothing by itself."""
    return Client(raise_request_exception=False)


def verifier_enveloppe(reponse: Any, statut: int, code: str, chemin: str) -> dict[str, Any]:
    corps = reponse.json()
    assert (reponse.status_code, corps["statusCode"], corps["code"], corps["path"]) == (statut, statut, code, chemin)
    assert reponse.headers["Content-Type"] == "application/json"
    assert reponse.headers["X-Request-Id"] == corps["requestId"]
    assert corps.keys() - {"details"} == ENVELOPPE
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", corps["timestamp"])
    assert corps["message"]
    return corps


# --- Two spellings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chemin", [*CHEMINS, *HORS_DOCUMENT])
def test_une_adresse_repond_de_meme_avec_et_sans_barre_finale(brut, chemin):
    nue = exemple_de(chemin).rstrip("/")
    methodes = methodes_de(resolve(nue).func)

    reponses = [[brut.generic(m, url) for m in sorted(methodes)] for url in (nue, f"{nue}/")]

    vues = [
        [(r.status_code, r.headers.get("Content-Type"), r.json().get("code") if est_json(r) else None) for r in rs]
        for rs in reponses
    ]
    assert vues[0] == vues[1]
    assert not {statut for statut, *_ in vues[0]} & {301, 302, 307, 308, 404} or "{" in chemin


def est_json(reponse: Any) -> bool:
    return reponse.headers.get("Content-Type") == "application/json"


@pytest.mark.parametrize("chemin", [c for c in CHEMINS if "get" in document()["paths"][c]])
def test_une_lecture_rend_les_memes_donnees_avec_et_sans_barre_finale(chemin):
    scene = Scene()
    url = exemple_de(chemin).rstrip("/")

    sans, avec = (scene.client("admin").get(f"{url}{barre}") for barre in ("", "/"))

    assert (sans.status_code, sans.json().get("data")) == (avec.status_code, avec.json().get("data"))


def test_deux_barres_finales_sont_une_autre_adresse(brut):
    assert brut.get("/api/v1/signalements//").status_code == 404


# --- Envelopes -------------------------------------------------------------------------------------------------------


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
    objets = SimpleNamespace(select_related=lambda *noms: (_ for _ in ()).throw(OperationalError("absente")))
    monkeypatch.setattr(authentication, "Session", SimpleNamespace(objects=objets))

    reponse = client.get("/api/v1/comptes/me")

    verifier_enveloppe(reponse, 503, "SERVICE_UNAVAILABLE", "/api/v1/comptes/me")


@pytest.mark.parametrize(("panne", "statut"), [(OperationalError("absente"), 503), (RuntimeError("autre"), 500)])
def test_une_panne_avant_la_page_est_une_page_et_une_ligne_du_journal(brut, monkeypatch, caplog, panne, statut):
    def tomber(self):
        raise panne

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", tomber)
    brut.cookies["sessionid"] = "a" * 32

    reponse = brut.get("/admin/")

    assert (reponse.status_code, reponse.headers["Content-Type"]) == (statut, "text/html; charset=utf-8")
    assert [r.exc_info[1] for r in caplog.records if r.name == "campus.erreurs"] == [panne]


def test_une_reussite_tient_dans_son_enveloppe(brut):
    corps = brut.get("/api/v1/config").json()

    assert corps.keys() == {"data", "message", "statusCode", "timestamp"}
    assert (corps["statusCode"], corps["message"]) == (200, "Configuration.")
    assert corps["timestamp"].endswith("Z")


# --- Headers ---------------------------------------------------------------------------------------------------------


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


# --- Pages -----------------------------------------------------------------------------------------------------------


def page(client: Any, question: str = "") -> dict[str, Any]:
    donnees = client.get(f"/api/v1/signalements/me{question}").json()["data"]
    return {nom: donnees[nom] for nom in ("total", "page", "size", "pages")} | {"items": len(donnees["items"])}


def test_une_liste_vide_n_a_aucune_page(api, etudiante):
    assert page(api(etudiante)) == {"total": 0, "page": 0, "size": 20, "pages": 0, "items": 0}


@pytest.mark.parametrize(
    ("question", "attendue"),
    [
        ("", {"total": 3, "page": 0, "size": 20, "pages": 1, "items": 3}),
        ("?size=2", {"total": 3, "page": 0, "size": 2, "pages": 2, "items": 2}),
        ("?size=2&page=1", {"total": 3, "page": 1, "size": 2, "pages": 2, "items": 1}),
        ("?size=2&page=2", {"total": 3, "page": 2, "size": 2, "pages": 2, "items": 0}),
        ("?page=2147483647", {"total": 3, "page": 2147483647, "size": 20, "pages": 1, "items": 0}),
        ("?size=3", {"total": 3, "page": 0, "size": 3, "pages": 1, "items": 3}),
        ("?size=1", {"total": 3, "page": 0, "size": 1, "pages": 3, "items": 1}),
        ("?size=1000", {"total": 3, "page": 0, "size": 100, "pages": 1, "items": 3}),
        ("?size=101&page=0", {"total": 3, "page": 0, "size": 100, "pages": 1, "items": 3}),
    ],
)
def test_une_page_dit_ou_elle_en_est(api, etudiante, question, attendue):
    for _ in range(3):
        fabriques.signalement(acteur_de(etudiante))

    assert page(api(etudiante), question) == attendue


def test_les_pages_mises_bout_a_bout_rendent_chaque_ligne_une_fois(api, etudiante):
    faits = {str(fabriques.signalement(acteur_de(etudiante)).pk) for _ in range(5)}
    client = api(etudiante)

    pages = [client.get(f"/api/v1/signalements/me?size=2&page={n}").json()["data"]["items"] for n in range(3)]

    assert [len(items) for items in pages] == [2, 2, 1]
    assert {item["id"] for items in pages for item in items} == faits


# --- What people write ----------------------------------------------------------------------------------------------

# Texts that hold no guest id, and why: words of a list, tokens and addresses that their field refuses with one, what
# is drawn, hashed, encrypted, or made of columns that are masked.
SANS_GUEST_ID = {
    "accounts.Compte": {"password", "type_utilisateur", "telephone", "recherche"},
    "accounts.Invitation": {"email", "type_utilisateur", "statut", "langue"},
    "accounts.Preferences": {"langue"},
    "accounts.Session": {"motif_fin"},
    "calendrier.EvenementCampus": {"type", "public_cible", "statut", "recherche"},
    "calendrier.Participation": {"statut"},
    "discussions.Message": {"type", "pieces_jointes"},
    "forum.Commentaire": {"recherche"},
    "forum.Moderation": {"avant", "apres"},
    "forum.MotSurveille": {"forme"},
    "forum.Poste": {"categorie", "pieces_jointes", "statut", "recherche"},
    "forum.Reaction": {"type"},
    "guests.AuditFusion": {"cle_empreinte", "cle", "resume", "retour"},
    "guests.SessionInvitee": {
        "guest_id_empreinte",
        "statut",
        "telephone",
    },
    "idempotence.CleUtilisee": {"cle", "demande"},
    "realtime.CanalEfface": {"canal", "audience"},
    "realtime.Evenement": {"masque", "type", "canal", "audience", "payload"},
    "resources.Attache": {"sorte"},
    "resources.ContactUrgence": {"recherche"},
    "resources.Faq": {"categorie", "recherche"},
    "resources.Fichier": {"portee", "type_mime", "seau", "cle", "recherche"},
    "resources.Ressource": {"categorie", "titre_tri", "recherche"},
    "signalements.Effectif": {"axe", "type", "statut", "priorite", "mode", "source", "gestionnaire"},
    "signalements.EntreeTimeline": {"type", "avant", "apres"},
    "signalements.Signalement": {
        "reference",
        "type",
        "mode_identification",
        "pieces_jointes",
        "statut",
        "priorite",
        "recherche",
    },
    "stats.Export": {"format", "statut", "seau", "cle"},
}


def test_chaque_texte_garde_est_masque_ou_ne_peut_porter_d_identifiant():
    """A column that is added is masked before it is stored (`ECRITS`), or says here why it need not be."""
    restent = {}
    for modele in apps.get_models():
        if modele.__module__.startswith(("django", "socle.taches")):
            continue
        textes = {c.name for c in modele._meta.concrete_fields if isinstance(c, CharField | TextField | JSONField)}
        if reste := textes - set(getattr(modele, "ECRITS", ())):
            restent[modele._meta.label] = reste

    assert restent == SANS_GUEST_ID


# --- Log -------------------------------------------------------------------------------------------------------------


def test_le_journal_ne_dit_ni_jeton_ni_identifiant_ni_coordonnees_ni_contenu(brut, caplog):
    caplog.set_level(logging.DEBUG)
    scene = Scene()
    connexion, guest_id = scene.connexion("user_owner"), scene.guest_id("guest_owner")
    bearer, invite = {"Authorization": f"Bearer {connexion.token}"}, {"X-Guest-Id": guest_id}
    cle = ouvrir_flux(compte=scene.user_owner).cle
    phrase = "Il attendait devant la bibliothèque"
    identite = {"email": "awa@campus.test", "motDePasse": MOT_DE_PASSE}

    for methode, url, corps, entetes in [
        ("POST", "/api/v1/auth/login", identite, {}),
        ("POST", "/api/v1/auth/login", {**identite, "motDePasse": f"{MOT_DE_PASSE}!"}, {}),
        ("POST", "/api/v1/auth/signup", {**identite, "nom": "Diop", "prenom": "Awa"}, {}),
        ("POST", "/api/v1/auth/forgot-password", {"email": "awa@campus.test"}, {}),
        ("GET", "/api/v1/comptes/me", None, bearer),
        ("GET", f"/api/v1/comptes/?search=awa@campus.test&token={connexion.token}", None, bearer),
        ("POST", SIGNALER, {**CORPS, "description": phrase}, bearer),
        ("POST", SIGNALER, {**CORPS, "description": phrase}, invite),
        ("POST", SIGNALER, {"description": phrase, "auteurPresume": "+243812345621"}, invite),
        ("GET", f"/api/v1/signalements/guest/me?guestId={guest_id}", None, {}),
        ("GET", f"/api/v1/guest/sessions/{guest_id}", None, {}),
        ("GET", f"/api/v1/guest/sessions/{guest_id.upper()}/", None, {}),
        ("GET", f"/api/v1/guest/sessions/{guest_id}/inconnu", None, {}),
        ("GET", f"/api/v1/inconnu/{guest_id}", None, invite),
        ("GET", f"/inconnue/{guest_id}", None, {}),
        ("PUT", f"/api/v1/guest/sessions/{guest_id}", None, {}),
        ("PATCH", f"/api/v1/guest/sessions/{guest_id}/telephone", {"telephone": "+243812345699"}, {}),
        ("POST", "/api/v1/guest/sessions", {"telephone": "+243812345699", "deviceFingerprint": phrase}, {}),
        ("POST", "/api/v1/auth/refresh", {"refreshToken": connexion.refresh_token}, {}),
        ("GET", "/api/v1/comptes/me", None, {"Authorization": f"Basic {connexion.token}"}),
        ("GET", f"/api/v1/evenements?canal=signalement:{uuid4()}&guestId={guest_id}", None, invite),
        ("GET", f"/api/v1/calendriers/flux.ics?cle={cle}", None, {}),
        ("GET", f"/api/v1/calendriers/flux.ics/?cle={cle}x", None, {}),
        ("PUT", f"/api/v1/calendriers/flux.ics?cle={cle}", None, {}),
        ("GET", f"/api/v1/config?{connexion.token}", None, {"Host": f"{guest_id}.example"}),
        ("GET", f"/api/v1/config?guestId={guest_id}", None, {"Referer": f"https://x/?token={connexion.token}"}),
    ]:
        brut.generic(methode, url, json.dumps(corps or {}), "application/json", headers=entetes)
    lignes = [Lignes().format(record) for record in caplog.records if record.name != "django.db.backends"]

    journal = "\n".join(lignes).lower()
    secrets = [connexion.token, connexion.refresh_token, guest_id, guest_id.replace("-", ""), MOT_DE_PASSE, phrase]
    secrets += ["awa@campus.test", "243812345621", "243812345699", connexion.token.rpartition(".")[2]]
    secrets += cle.split(".")
    assert [secret for secret in secrets if secret.lower() in journal] == []
    assert sum('"journal": "campus.acces"' in ligne for ligne in lignes) == 26


def test_le_journal_d_acces_dit_qui_quoi_combien_de_temps(api, invite, signalement_invite, caplog):
    caplog.set_level(logging.INFO)

    reponse = api(invite).get(f"/api/v1/signalements/{signalement_invite.pk}")

    ligne = next(r for r in caplog.records if r.name == "campus.acces")
    assert (ligne.methode, ligne.route, ligne.statut) == ("GET", "/api/v1/signalements/{signalement_id}", 200)
    assert (ligne.acteur, ligne.adresse) == ("GUEST", "127.0.0.1")
    assert (ligne.requestId, ligne.ms > 0) == (reponse.headers["X-Request-Id"], True)


def test_une_methode_inventee_n_est_pas_ecrite_au_journal(brut, caplog):
    caplog.set_level(logging.INFO)

    brut.generic("MOT-DE-PASSE", "/api/v1/config")

    assert next(r for r in caplog.records if r.name == "campus.acces").methode == "AUTRE"


@pytest.mark.parametrize(
    ("reglage", "v4", "v6"),
    [
        ("full", "203.0.113.9", "2001:db8:7:8::1"),
        ("short", "203.0.113.0/24", "2001:db8:7::/48"),
        ("none", "", ""),
    ],
)
def test_le_journal_d_acces_garde_de_l_adresse_ce_que_le_reglage_dit(client, settings, caplog, reglage, v4, v6):
    caplog.set_level(logging.INFO)
    settings.LOG_ADDRESSES = reglage

    for adresse in ("203.0.113.9", "::ffff:203.0.113.9", "2001:db8:7:8::1", "fe80::1%eth0", ""):
        client.get("/api/v1/config", REMOTE_ADDR=adresse)

    lignes = [r for r in caplog.records if r.name == "campus.acces"]
    assert [r.adresse for r in lignes[:3]] == [v4, v4, v6]
    if reglage != "full":
        ecrit = "".join(Lignes().format(ligne) for ligne in lignes)
        assert [entiere for entiere in ("203.0.113.9", "2001:db8:7:8", "fe80::1", "eth0") if entiere in ecrit] == []


def test_ce_qu_une_bibliotheque_ecrit_est_caviarde(caplog):
    jeton = Scene().connexion("user_owner").token
    textes = [
        f"GET /ws/user:1?token={jeton}&depuis=3",
        f"GET /api/v1/guest/sessions/{uuid4()}/merge",
        "IntegrityError DETAIL: Key (email)=(awa@campus.test) already exists.",
        f"en-têtes : {{'X-Guest-Id': '{uuid4()}'}}",
        "SMS vers +243 812 345 621",
    ]
    fuites = [jeton, textes[1].split("/")[5], "awa@campus.test", textes[3].split("'")[3], "812 345 621"]

    ecrites = [Lignes().format(logging.LogRecord("x", 20, "", 0, texte, (), None)) for texte in textes]

    assert [fuite for fuite, ecrite in zip(fuites, ecrites, strict=True) if fuite in ecrite] == []


# --- Where a request comes from ------------------------------------------------------------------------------------


def requete(directe: str, transmise: str = "", **entetes: str) -> Any:
    autres = {"HTTP_X_FORWARDED_FOR": transmise} if transmise else {}
    return RequestFactory().get("/", REMOTE_ADDR=directe, **autres, **entetes)


@pytest.mark.parametrize(
    ("directe", "transmise", "attendue"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "203.0.113.9, n'importe quoi", "10.0.0.1"),
        ("10.0.0.1", "n'importe quoi", "10.0.0.1"),
        ("10.0.0.1", ",,,", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
        ("", "203.0.113.9", ""),
        ("unix:", "203.0.113.9", ""),
    ],
)
def test_l_adresse_est_la_plus_proche_qui_n_est_pas_un_mandataire(settings, directe, transmise, attendue):
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]

    assert adresse_client(requete(directe, transmise)) == attendue


def test_sans_mandataire_l_en_tete_ne_vaut_rien(settings):
    settings.TRUSTED_PROXIES = []

    assert adresse_client(requete("10.0.0.1", "203.0.113.9")) == "10.0.0.1"


def test_une_adresse_ipv6_compte_pour_son_reseau(settings):
    settings.TRUSTED_PROXIES = []

    cles = {cle_adresse(requete(f"2001:db8:1:2::{n}")) for n in range(1, 4)}

    assert cles == {"2001:db8:1:2::/64"}
    assert cle_adresse(requete("203.0.113.9")) == "203.0.113.9"


@pytest.mark.parametrize(
    ("directe", "proto", "attendu"),
    [
        ("10.0.0.1", "https", True),
        ("10.0.0.1", "http", False),
        ("10.0.0.1", "", False),
        ("198.51.100.7", "https", False),
    ],
)
def test_seul_un_mandataire_dit_que_l_on_vient_en_https(settings, directe, proto, attendu):
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]

    assert venu_en_https(requete(directe, HTTP_X_FORWARDED_PROTO=proto)) is attendu


# --- Limits ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def horloge(monkeypatch):
    """The clock of the limits, in the middle of a window."""
    heure = SimpleNamespace(maintenant=1_800_000_010.0)
    lire = lambda: heure.maintenant  # noqa: E731
    monkeypatch.setattr(throttling, "time", SimpleNamespace(time=lire, monotonic=lire))
    monkeypatch.setattr(throttling, "_cache_revient_a", 0.0)
    return heure


@pytest.fixture
def limiter(settings, horloge):
    """limiter(general=2): that many calls in each minute, under that limit."""

    def poser(**nombres: int) -> None:
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**reglages.THROTTLES, **{p: Taux(n, 60) for p, n in nombres.items()}}

    return poser


def test_au_dela_de_la_limite_on_attend_la_fenetre_suivante(api, etudiante, limiter, horloge):
    limiter(general=2)
    client = api(etudiante)

    reponses = [client.get("/api/v1/comptes/me") for _ in range(3)]
    horloge.maintenant += int(reponses[2].headers["Retry-After"])
    apres = client.get("/api/v1/comptes/me")

    assert [r.status_code for r in reponses] == [200, 200, 429]
    verifier_enveloppe(reponses[2], 429, "RATE_LIMITED", "/api/v1/comptes/me")
    assert int(reponses[2].headers["Retry-After"]) == 51
    assert apres.status_code == 200


def test_chacun_a_sa_part_de_la_limite_generale(api, etudiante, autre_etudiante, invite, limiter):
    limiter(general=1)
    url = SIGNALER

    statuts = [api(qui).post(url, {}).status_code for qui in (etudiante, autre_etudiante, invite, None, etudiante)]

    assert statuts == [422, 422, 422, 401, 429]


def test_la_sonde_n_est_jamais_limitee(brut, limiter):
    limiter(general=1)

    assert [brut.get("/health").status_code for _ in range(3)] == [200] * 3


def test_un_mauvais_jeton_compte_par_adresse(brut, limiter):
    limiter(general=2)
    entetes = [{"Authorization": f"Bearer faux{n}"} for n in range(3)]

    assert [brut.get("/api/v1/comptes/me", headers=e).status_code for e in entetes] == [401, 401, 429]


def test_les_adresses_derriere_un_mandataire_comptent_chacune(brut, settings, limiter):
    limiter(general=1)
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    qui = ["203.0.113.9", "203.0.113.10", "203.0.113.9", "1.1.1.1, 203.0.113.10"]

    statuts = [brut.get("/api/v1/config", headers={"X-Forwarded-For": adresse}).status_code for adresse in qui]

    assert statuts == [200, 200, 429, 429]


def test_un_identifiant_inconnu_de_trop_n_arrete_que_les_inconnus(api, invite, limiter):
    limiter(guest_unknown=2)
    inconnus = [session_de_personne() for _ in range(4)]

    statuts = [api(qui).get("/api/v1/guest/suivi").status_code for qui in inconnus]

    assert statuts == [404, 404, 429, 429]
    assert api(invite).get("/api/v1/guest/suivi").status_code == 200


def session_de_personne() -> Any:
    return SimpleNamespace(guest_id=uuid4())


def test_un_numero_n_ouvre_que_tant_de_sessions(brut, limiter):
    limiter(guest_session_phone=2)
    corps = [
        {"telephone": numero} for numero in ("+243812345621", "+243 812 345 621", "+243812345621", "+243898765432")
    ]

    statuts = [brut.post("/api/v1/guest/sessions", c, "application/json").status_code for c in corps]

    assert statuts == [201, 201, 429, 201]


def test_les_echecs_de_connexion_comptent_par_compte_et_une_reussite_les_efface(brut, etudiante, limiter):
    limiter(login=3)

    def essayer(email: str, mot_de_passe: str) -> int:
        corps = {"email": email, "motDePasse": mot_de_passe}
        return brut.post("/api/v1/auth/login", corps, "application/json").status_code

    elle = etudiante.email
    assert [essayer(elle, "faux-faux-faux") for _ in range(2)] == [401, 401]
    assert essayer(elle.upper(), MOT_DE_PASSE) == 200
    assert [essayer(elle, "faux-faux-faux") for _ in range(4)] == [401, 401, 401, 429]
    assert essayer(elle, MOT_DE_PASSE) == 429
    assert essayer("inconnue@campus.test", MOT_DE_PASSE) == 401


def test_une_limite_se_compte_dans_le_cache_commun(brut, limiter, monkeypatch):
    limiter(general=2)
    compte_ici = []
    monkeypatch.setattr(throttling.locaux, "ajouter", lambda *args: compte_ici.append(args) or 1)

    statuts = [brut.get("/api/v1/config").status_code for _ in range(3)]

    assert statuts == [200, 200, 429]
    assert compte_ici == []


class CacheAbsent:
    def __getattr__(self, nom: str) -> Any:
        def echouer(*args: Any, **options: Any) -> Any:
            raise ConnectionError(nom)

        return echouer


def test_un_cache_absent_ne_leve_ni_la_limite_ni_une_erreur(brut, limiter, monkeypatch, horloge):
    limiter(general=2)
    monkeypatch.setattr(throttling, "cache", CacheAbsent())

    statuts = [brut.get("/api/v1/config").status_code for _ in range(3)]
    monkeypatch.setattr(throttling, "cache", cache)
    horloge.maintenant += throttling.PAUSE_APRES_PANNE + 1
    au_retour = [brut.get("/api/v1/config").status_code for _ in range(3)]

    assert statuts == [200, 200, 429]
    assert au_retour == [200, 200, 429]


def test_beaucoup_d_appels_a_la_fois_ne_depassent_pas_la_limite(limiter):
    limiter(general=10)
    passes = []

    def appeler() -> None:
        for _ in range(10):
            try:
                throttling.consommer("general", "la même")
                passes.append(1)
            except throttling.TropDeRequetes:
                pass

    fils = [threading.Thread(target=appeler) for _ in range(4)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join()

    assert len(passes) == 10


# --- Health ----------------------------------------------------------------------------------------------------------


TOUT_VA_BIEN = {"baseDeDonnees": "OK", "cache": "OK", "tempsReel": "OK", "disque": "OK"}


def echouer() -> None:
    raise ConnectionError("10.0.0.3 refuse")


def test_un_service_entier_va_bien(brut):
    donnees = brut.get("/health").json()["data"]

    assert donnees == {"statut": "OK", **TOUT_VA_BIEN}


def test_un_processus_vivant_le_dit_sans_rien_demander(brut, monkeypatch):
    monkeypatch.setattr(sondes, "SONDES", {})

    assert brut.get("/health/live").json()["data"] == {"statut": "OK"}


@pytest.mark.parametrize(("chemin", "statuts"), [("/health/live", {"200", "406"}), ("/health", {"200", "406", "503"})])
def test_la_description_d_une_sonde_ne_promet_que_ce_qu_elle_repond(chemin, statuts):
    operation = document()["paths"][chemin]["get"]

    assert operation["responses"].keys() == statuts
    assert ("base" in json.dumps(operation)) is (chemin == "/health")


@pytest.mark.parametrize(("sonde", "champ"), [("cache", "cache"), ("temps_reel", "tempsReel")])
@pytest.mark.parametrize("comment", ["erreur", "lenteur"])
def test_un_service_sans_cache_ou_sans_temps_reel_est_degrade(api, monkeypatch, sonde, champ, comment):
    fin = threading.Event()
    monkeypatch.setattr(sondes, "SECONDES", 0.1)
    monkeypatch.setitem(sondes.SONDES, sonde, echouer if comment == "erreur" else lambda: fin.wait(5))
    monkeypatch.setitem(sondes.SONDES, "base_de_donnees", lambda: "OK")

    reponse = api(None).get("/health")
    fin.set()

    etats = {"statut": "DEGRADE", **TOUT_VA_BIEN, champ: "INDISPONIBLE"}
    assert (reponse.status_code, reponse.json()["data"]) == (200, etats)


@pytest.mark.parametrize("comment", ["erreur", "lenteur"])
def test_un_service_sans_base_est_un_503(api, monkeypatch, comment):
    fin = threading.Event()
    monkeypatch.setattr(sondes, "SECONDES", 0.1)
    monkeypatch.setitem(sondes.SONDES, "base_de_donnees", echouer if comment == "erreur" else lambda: fin.wait(5))

    reponse = api(None).get("/health")
    fin.set()

    corps = verifier_enveloppe(reponse, 503, "SERVICE_UNAVAILABLE", "/health")
    assert int(reponse.headers["Retry-After"]) > 0
    assert "10.0.0.3" not in corps["message"]


def test_un_disque_plein_et_une_base_qu_on_ne_peut_que_lire_se_disent(brut, monkeypatch, settings):
    settings.FREE_DISK_FLOOR_MB = 2**42
    monkeypatch.setattr(sondes, "PLACE_MINIMALE", 2**62)

    donnees = brut.get("/health").json()["data"]

    assert (donnees["statut"], donnees["disque"]) == ("DEGRADE", "LECTURE_SEULE")
    assert donnees["baseDeDonnees"] == ("LECTURE_SEULE" if settings.EMBARQUE else "OK")


# --- English ---------------------------------------------------------------------------------------------------------

FONCTIONS = {"gettext": 1, "gettext_lazy": 1, "gettext_noop": 1, "ngettext": 2, "ngettext_lazy": 2}
RACINE = Path(reglages.BASE_DIR)
CATALOGUE = RACINE / "config" / "locale" / "en" / "LC_MESSAGES" / "django.po"
MARQUES = re.compile(r"%\(\w+\)[ds]|%[ds]|\{\w*\}")


def textes_a_traduire() -> dict[str, str]:
    """Every text that the code or a template gives to gettext, with where it was met first."""
    textes: dict[str, str] = {}
    for fichier in [*sorted(RACINE.glob("*/**/*.py")), *sorted(RACINE.glob("templates/**/*.*"))]:
        lieu = fichier.relative_to(RACINE)
        if lieu.parts[0].startswith(".") or {"tests", "migrations", "data"} & set(lieu.parts):
            continue
        lu = fichier.read_text(encoding="utf-8")
        for texte in textes_de(ast.parse(lu)) if fichier.suffix == ".py" else textes_d_un_gabarit(lu):
            textes.setdefault(texte, str(lieu))
    return textes


def textes_d_un_gabarit(gabarit: str) -> list[str]:
    """A plural is two of them: `ngettext('…', '…', n)`."""
    appels = re.finditer(r"gettext\((u?(['\"]).*?\2)(?:, ?(u?(['\"]).*?\4),[^)]*)?\)", templatize(gabarit))
    return [ast.literal_eval(texte) for appel in appels for texte in appel.group(1, 3) if texte]


def textes_de(arbre: ast.Module) -> list[str]:
    noms = {
        alias.asname or alias.name: FONCTIONS[alias.name]
        for noeud in ast.walk(arbre)
        if isinstance(noeud, ast.ImportFrom) and noeud.module == "django.utils.translation"
        for alias in noeud.names
        if alias.name in FONCTIONS
    }
    return [
        argument.value
        for noeud in ast.walk(arbre)
        if isinstance(noeud, ast.Call) and isinstance(noeud.func, ast.Name) and noeud.func.id in noms
        for argument in noeud.args[: noms[noeud.func.id]]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def catalogue() -> dict[str, str]:
    """`text: translation` of what is translated for good, plurals as texts of their own."""
    entrees = [e for e in polib.pofile(str(CATALOGUE)) if e.translated() and "fuzzy" not in e.flags]
    simples = {e.msgid: e.msgstr for e in entrees if not e.msgid_plural}
    nombres = [e for e in entrees if e.msgid_plural]
    return (
        simples | {e.msgid: e.msgstr_plural[0] for e in nombres} | {e.msgid_plural: e.msgstr_plural[1] for e in nombres}
    )


def test_les_textes_se_trouvent_dans_le_code_et_dans_les_gabarits():
    lieux = set(textes_a_traduire().values())

    assert {"socle/domaine/erreurs.py", "signalements/views.py", "templates/mails/invitation.txt"} <= lieux


def test_chaque_texte_a_sa_traduction_anglaise():
    traduits = catalogue()
    manquants = {texte: lieu for texte, lieu in textes_a_traduire().items() if texte not in traduits}

    assert manquants == {}, "\n".join(f"{lieu}  {texte}" for texte, lieu in manquants.items())


def test_aucune_traduction_ne_sert_plus_a_rien():
    assert catalogue().keys() - textes_a_traduire().keys() == set()


def test_le_catalogue_compile_est_celui_que_l_on_lit():
    with CATALOGUE.with_suffix(".mo").open("rb") as fichier:
        compile_ = gettext.GNUTranslations(fichier)

    perimes = {texte for texte, anglais in catalogue().items() if anglais not in set(compile_._catalog.values())}

    assert perimes == set(), "compilez django.po"


def test_une_traduction_garde_les_memes_valeurs_a_remplir():
    faussees = {
        texte: anglais
        for texte, anglais in catalogue().items()
        if set(MARQUES.findall(texte)) != set(MARQUES.findall(anglais))
    }

    assert faussees == {}
