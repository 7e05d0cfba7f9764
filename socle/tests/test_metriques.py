"""What operators are told, by whom it can be read, and what no label ever holds."""

import os
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone
from prometheus_client import Counter
from prometheus_client.parser import text_string_to_metric_families

from accounts.services.invitations import inviter
from accounts.tests.fabriques import MOT_DE_PASSE
from config.serveur.allures import Allure
from config.serveur.corps import CorpsRecu
from config.serveur.tests.boucle import appeler, avec_filet, portee
from config.tests.outils import ClientApi, document
from config.tests.outils.scene import Scene, exemple_de
from config.tests.outils.serveur import RACINE
from signalements import services as signalements
from socle import metriques
from socle.api import releve as lecture
from socle.domaine.limites import Taux
from socle.metriques import INCONNUE, gabarit, route_du_chemin
from socle.realtime.tests import fabriques as temps_reel
from socle.taches.reprise import tache
from socle.taches.tests.outils import ServeurAbsent, faire_les_taches
from socle.tests.mesures import Releve, releve, requetes

pytestmark = pytest.mark.django_db
CONFIG = "/api/v1/config"


@pytest.fixture
def brut():
    return Client(raise_request_exception=False)


# --- Who may read them ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("methode", ["GET", "HEAD", "POST", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("entete", [{}, {"Authorization": "Bearer "}, {"Authorization": "Bearer mesures-de-test-mmmm"}])
def test_sans_jeton_dans_les_reglages_l_adresse_n_existe_pas(brut, settings, methode, entete):
    settings.METRICS_TOKEN = ""

    reponse, inconnue = (brut.generic(methode, chemin, headers=entete) for chemin in ("/metrics", "/api/inconnue"))

    assert reponse.status_code == 404
    if methode != "HEAD":
        dits = [{k: corps[k] for k in ("error", "message", "code")} for corps in (reponse.json(), inconnue.json())]
        assert dits[0] == dits[1]


def test_sans_jeton_rien_n_est_compte(brut, settings):
    settings.METRICS_TOKEN = ""
    avant = list(metriques.registre.collect())

    brut.get("/api/v1/config")
    brut.get("/api/v1/jamais-vue")
    metriques.exports_total.labels(format="jamais", resultat="vu").inc()
    metriques.sockets.labels("jamais").dec()
    metriques.request_duration_seconds.labels("GET", "jamais").observe(1)

    assert list(metriques.registre.collect()) == avant


@pytest.mark.parametrize(
    ("entete", "code"),
    [
        ({}, "AUTH_REQUIRED"),
        ({"Authorization": "mesures-de-test-mmmm"}, "AUTH_REQUIRED"),
        ({"Authorization": "Basic mesures-de-test-mmmm"}, "AUTH_REQUIRED"),
        ({"Authorization": "Bearer"}, "TOKEN_INVALID"),
        ({"Authorization": "Bearer mesures-de-test-mmm"}, "TOKEN_INVALID"),
        ({"Authorization": "Bearer mesures-de-test-mmmmm"}, "TOKEN_INVALID"),
        ({"Authorization": "Bearer mesures-de-test-MMMM"}, "TOKEN_INVALID"),
        ({"Authorization": "Bearer é"}, "TOKEN_INVALID"),
        ({"Authorization": "Bearer " + "m" * 10_000}, "TOKEN_INVALID"),
    ],
    ids=lambda valeur: str(valeur)[:60],
)
def test_un_jeton_absent_ou_faux_est_un_401(brut, entete, code):
    reponse = brut.get("/metrics", headers=entete)

    assert (reponse.status_code, reponse.json()["code"]) == (401, code)
    assert reponse.headers["WWW-Authenticate"].startswith("Bearer")
    assert reponse.headers["Content-Type"] == "application/json"


def test_le_jeton_ne_se_donne_pas_en_question(brut):
    assert brut.get("/metrics?token=mesures-de-test-mmmm").status_code == 401


def test_les_faux_jetons_sont_comptes_et_le_bon_ne_l_est_pas(brut, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "general": Taux.lire("3/min")}

    faux = [brut.get("/metrics", headers={"Authorization": "Bearer faux"}).status_code for _ in range(5)]
    bons = [ClientApi(jeton=settings.METRICS_TOKEN).get("/metrics").status_code for _ in range(5)]

    assert (faux, bons) == ([401, 401, 401, 429, 429], [200] * 5)


@pytest.mark.parametrize("chemin", ["/metrics", "/metrics/"])
def test_avec_le_jeton_on_lit_le_texte_de_prometheus(settings, chemin):
    reponse = ClientApi(jeton=settings.METRICS_TOKEN).get(chemin)

    assert reponse.status_code == 200
    assert reponse.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert reponse.headers["Cache-Control"] == "no-store"
    assert b"# TYPE campus_requests_total counter" in reponse.content


@pytest.mark.parametrize(
    "accepte",
    [
        "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
        "text/plain;version=0.0.4",
        "*/*",
    ],
)
def test_prometheus_demande_comme_il_demande(settings, accepte):
    client = ClientApi(jeton=settings.METRICS_TOKEN)

    assert client.get("/metrics", headers={"Accept": accepte}).status_code == 200


def test_ce_qui_n_est_pas_du_texte_est_un_406_qui_dit_quoi_demander(settings):
    client = ClientApi(jeton=settings.METRICS_TOKEN)

    reponse = client.get("/metrics", headers={"Accept": "application/json"})

    assert (reponse.status_code, "text/plain" in reponse.json()["message"]) == (406, True)


def test_le_releve_se_demande_en_http_meme_avec_https_only(settings, brut):
    settings.SECURE_SSL_REDIRECT = True

    assert [brut.get(chemin).status_code for chemin in ("/metrics", "/health", CONFIG)] == [401, 200, 301]


# --- Requests ---------------------------------------------------------------------------------------------------------


def test_chaque_requete_compte_sous_sa_route_et_son_statut(api, brut, settings, etudiante, signalement):
    settings.THROTTLES = {**settings.THROTTLES, "general": Taux.lire("1/min")}
    detail, creer = "/api/v1/signalements/{signalement_id}", "/api/v1/signalements"
    client, lu = api(etudiante), f"/api/v1/signalements/{signalement.pk}"
    attendus: dict[Any, Any] = {
        requetes("GET", detail, 200): lambda: client.get(lu),
        requetes("HEAD", detail, 200): lambda: Client().head(lu, headers={"Authorization": f"Bearer {client.jeton}"}),
        requetes("GET", detail, 401): lambda: brut.get(lu),
        requetes("GET", detail, 404): lambda: client.get(f"/api/v1/signalements/{uuid4()}"),
        requetes("GET", detail, 400): lambda: brut.get(lu, headers={"Host": "ailleurs.example"}),
        requetes("DELETE", detail, 405): lambda: client.delete(lu),
        requetes("POST", creer, 422): lambda: client.post(creer, {}),
        requetes("POST", creer, 413): lambda: brut.generic("POST", creer, b"{}", CONTENT_LENGTH=str(3 * 1024 * 1024)),
        requetes("POST", creer, 415): lambda: client.post(creer, b"a=1", content_type="text/plain"),
        requetes("OPTIONS", creer, 200): lambda: brut.options(
            creer, headers={"Origin": "https://x.example", "Access-Control-Request-Method": "POST"}
        ),
    }

    for compte, appel in attendus.items():
        assert appel().status_code == int(compte.etiquettes["status"])
        assert compte.plus == 1, compte.etiquettes

    settings.THROTTLE_ENABLED = True
    trop = requetes("GET", detail, 429)
    assert [client.get(lu).status_code for _ in range(2)] == [200, 429]
    assert trop.plus == 1


def test_une_panne_compte_aussi(api, etudiante, monkeypatch):
    def tomber(**champs: Any) -> None:
        raise RuntimeError

    compte = requetes("POST", "/api/v1/signalements", 500)
    monkeypatch.setattr(signalements, "creer", tomber)
    bearer = {"Authorization": f"Bearer {api(etudiante).jeton}"}

    corps = {"titre": "Vol", "description": "Un sac.", "type": "VOL"}
    Client(raise_request_exception=False).post("/api/v1/signalements/", corps, "application/json", headers=bearer)

    assert compte.plus == 1


async def test_ce_qui_est_refuse_avant_qu_un_fil_soit_pris_compte(db):
    compte = requetes("POST", "/api/v1/signalements", 408)
    durees = Releve("campus_request_duration_seconds_count", method="POST", route="/api/v1/signalements")

    scope = portee("/api/v1/signalements/", headers=[(b"host", b"testserver")])
    await appeler(avec_filet(CorpsRecu(None, limite=10, allure=Allure(0.05, 0.05))), scope, [])

    assert (compte.plus, durees.plus) == (1, 0)  # the duration would be the client's


def test_les_durees_sont_celles_des_requetes(brut):
    nombre = Releve("campus_request_duration_seconds_count", method="GET", route=CONFIG)
    somme = Releve("campus_request_duration_seconds_sum", method="GET", route=CONFIG)
    longues = Releve("campus_request_duration_seconds_bucket", method="GET", route=CONFIG, le="+Inf")

    for _rang in range(3):
        brut.get(CONFIG)

    assert (nombre.plus, longues.plus) == (3, 3)
    assert 0 < somme.plus < 3


# --- Labels -----------------------------------------------------------------------------------------------------------


def test_la_route_est_celle_de_la_documentation():
    ecarts = {c: route_du_chemin(exemple_de(c)) for c in document()["paths"]}

    assert {chemin: route for chemin, route in ecarts.items() if route != chemin.rstrip("/")} == {}


def toutes_les_routes(resolveur: Any = None, debut: str = "") -> list[str]:
    motifs = (resolveur or get_resolver()).url_patterns
    return [
        route
        for motif in motifs
        for complet in [URLResolver._join_route(debut, str(motif.pattern))]
        for route in (toutes_les_routes(motif, complet) if isinstance(motif, URLResolver) else [complet])
    ]


def test_aucune_route_ne_garde_de_motif():
    routes = {gabarit(route) for route in toutes_les_routes()}

    assert len(routes) > 150
    assert {route for route in routes if set(route) & set("()?<>^$\\[]|*+")} == set()
    assert "/admin/accounts/compte/{object_id}/change/" in routes


@pytest.mark.parametrize(
    ("chemin", "route"),
    [
        ("/api/v1/inconnue", INCONNUE),
        ("/api/v1/signalements/pas-un-id", INCONNUE),
        ("/inconnue/5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", INCONNUE),
        ("/api/", INCONNUE),
        ("/\x00é\n", INCONNUE),
        ("/api/v1/guest/sessions/5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f/merge", "/api/v1/guest/sessions/{guestId}/merge"),
        ("/api/v1/guest/sessions/n'importe quoi", "/api/v1/guest/sessions/{guestId}"),
        ("/admin/nulle/part/12", "/admin/{url}"),
        ("/static/admin/css/base.css", "/static/{fichier}"),
        ("/metrics/", "/metrics"),
        ("/", "/"),
    ],
)
def test_un_chemin_n_est_jamais_une_etiquette(chemin, route):
    assert route_du_chemin(chemin) == route


@pytest.mark.parametrize("methode", ["PROPFIND", "X" * 200, "TRACE"])
def test_une_methode_que_personne_ne_connait_compte_avec_les_autres(brut, methode):
    compte = requetes("AUTRE", CONFIG, 405)

    brut.generic(methode, CONFIG)

    assert compte.plus == 1


def test_des_milliers_de_chemins_ne_font_qu_une_serie(brut):
    brut.get("/api/v1/premiere")
    series_des_requetes()  # a reading counts as a request once it has answered
    avant = series_des_requetes()

    for rang in range(50):
        brut.generic(f"M{rang}", f"/api/v1/x{rang}/{uuid4()}?guestId={uuid4()}", headers={"Host": f"h{rang}.example"})

    # The odd method, refused for its host: one count, and a duration.
    assert len(series_des_requetes() - avant) <= 1 + 14


def series_des_requetes() -> set[tuple[str, tuple[str, ...]]]:
    """Without the database's connections, whose states come and go meanwhile."""
    return {serie for serie in releve() if serie[0].startswith("campus_request")}


def test_les_mesures_ne_disent_ni_jeton_ni_identifiant_ni_coordonnees(brut):
    scene = Scene()
    connexion, guest_id = scene.connexion("user_owner"), scene.guest_id("guest_owner")
    identite = {"email": "awa@campus.test", "motDePasse": MOT_DE_PASSE}

    brut.post("/api/v1/auth/login", identite, "application/json")
    brut.get(f"/api/v1/guest/sessions/{guest_id}?token={connexion.token}&telephone=%2B243812345621")
    brut.get(f"/{guest_id}/{connexion.token}/awa@campus.test", headers={"X-Guest-Id": guest_id})
    brut.get(CONFIG, headers={"User-Agent": "awa@campus.test", "Referer": guest_id})
    texte = ClientApi(jeton="mesures-de-test-mmmm").get("/metrics").content.decode().lower()

    secrets = [guest_id, connexion.token, connexion.refresh_token, "awa@campus", "243812345621", MOT_DE_PASSE]
    assert [secret for secret in [*secrets, "mesures-de-test-mmmm"] if secret.lower() in texte] == []
    assert "/api/v1/guest/sessions/{guestid}" in texte


def test_un_dossier_perdu_ne_fait_tomber_aucune_requete(brut, monkeypatch, caplog):
    def plein(*args: Any, **options: Any) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(Counter, "labels", plein)
    monkeypatch.setattr(metriques._Reglee, "_est_annonce", False)

    assert [brut.get(CONFIG).status_code for _ in range(2)] == [200, 200]
    assert sum(r.name == "campus.metriques" for r in caplog.records) == 1


# --- Background work, and the database --------------------------------------------------------------------------------


@tache()
def besogne(identifiant: str) -> None:
    if identifiant == "panne":
        raise ConnectionRefusedError


def test_les_taches_comptent_par_ce_qui_en_advient(time_machine):
    comptes = {
        r: Releve("campus_tasks_total", tache="besogne", resultat=r) for r in ("reussie", "a_reessayer", "abandonnee")
    }
    besogne.enqueue("bien")
    besogne.enqueue("panne")
    besogne.enqueue("panne", essai=8)

    faire_les_taches()

    assert {r: compte.plus for r, compte in comptes.items()} == {"reussie": 1, "a_reessayer": 1, "abandonnee": 1}


def test_un_courriel_compte_parti_ou_manque(admin, settings, mailoutbox):
    partis, manques = (Releve(f"campus_{nom}_total", modele="invitation") for nom in ("mails_sent", "mail_failures"))
    inviter(par=admin, email="ruth@campus.test", type_utilisateur="GESTIONNAIRE")
    faire_les_taches()

    settings.EMAIL_BACKEND = f"{ServeurAbsent.__module__}.{ServeurAbsent.__qualname__}"
    inviter(par=admin, email="sam@campus.test", type_utilisateur="GESTIONNAIRE")
    faire_les_taches()

    assert (len(mailoutbox), partis.plus, manques.plus) == (1, 1, 1)


def test_le_releve_dit_ce_qui_attend():
    avant = releve()
    besogne.enqueue("a")
    besogne.using(run_after=timezone.now() - timedelta(hours=1)).enqueue("b")
    besogne.using(run_after=timezone.now() + timedelta(hours=1)).enqueue("c")
    temps_reel.evenement("equipe")
    temps_reel.evenement("equipe", 1)

    lu = releve()

    assert avant[("campus_tasks_waiting", ("a_faire",))] == avant[("campus_events_waiting", ())] == 0
    assert lu[("campus_tasks_waiting", ("a_faire",))] == 2
    assert lu[("campus_tasks_waiting", ("differee",))] == 1
    assert (lu[("campus_events_waiting", ())], lu[("campus_database_up", ())]) == (1, 1)


def test_le_releve_interroge_la_base_autant_quoi_qu_elle_contienne(django_assert_num_queries):
    attendu = 6 if connection.vendor == "postgresql" else 5
    for rang in range(9):
        besogne.enqueue(str(rang))
        temps_reel.evenement("equipe")

    with django_assert_num_queries(attendu):
        releve()


@pytest.mark.postgres
def test_le_releve_dit_les_connexions_a_postgresql():
    lu = releve()

    ouvertes = {etiquettes: valeur for (nom, etiquettes), valeur in lu.items() if nom == "campus_database_connections"}
    assert ouvertes[("active",)] >= 1
    assert sum(ouvertes.values()) < lu[("campus_database_connections_max", ())]


def test_sans_base_le_releve_repond_et_le_dit(monkeypatch):
    def absente() -> None:
        raise OperationalError

    monkeypatch.setattr(lecture, "_taches", absente)

    lu = releve()

    assert lu[("campus_database_up", ())] == 0
    assert ("campus_events_waiting", ()) not in lu
    assert ("campus_merges_total", ("fusion",)) in lu


def test_chaque_mesure_est_dans_la_documentation():
    page = (RACINE / "docs" / "operations.md").read_text(encoding="utf-8")
    noms = {f"{nom}_total" if type_ == "counter" else nom for nom, type_ in familles()}

    assert len(noms) > 10
    assert {nom for nom in noms if f"`{nom}`" not in page and not nom.startswith("process_")} == set()


def familles() -> set[tuple[str, str]]:
    texte = ClientApi(jeton="mesures-de-test-mmmm").get("/metrics").content.decode()
    return {(famille.name, famille.type) for famille in text_string_to_metric_families(texte)}


def test_une_serie_connue_d_avance_part_de_zero():
    lu = releve()

    for metrique, possibles in metriques.CONNUES:
        assert {(f"{metrique._name}_total", valeurs) for valeurs in product(*possibles.values())} <= lu.keys()


def test_on_n_oublie_que_les_morts_de_cette_machine(tmp_path):
    vivant, mort, init = (f"{metriques.HOTE}-{numero}" for numero in (os.getpid(), 2**22 + 1, 1))
    for nom in (vivant, mort, init, f"ailleurs-{2**22 + 1}", "sans numéro"):
        for sorte in ("gauge_livesum", "counter"):
            (tmp_path / f"{sorte}_{nom}.db").touch()

    vivants = lecture.oublier_les_morts(tmp_path)

    assert vivants == sorted([init, vivant])
    assert {f.name for f in tmp_path.glob("gauge*")} == {
        f"gauge_livesum_{nom}.db" for nom in (vivant, init, f"ailleurs-{2**22 + 1}", "sans numéro")
    }
    assert len(list(tmp_path.glob("counter*"))) == 5


def test_un_dossier_partage_qui_a_disparu_est_un_503(settings, tmp_path):
    settings.PROMETHEUS_MULTIPROC_DIR = str(tmp_path / "disparu")

    reponse = ClientApi(jeton=settings.METRICS_TOKEN).get("/metrics")

    assert (reponse.status_code, reponse.json()["code"]) == (503, "SERVICE_UNAVAILABLE")


def test_le_systeme_dit_la_memoire_et_le_processeur():
    lu = releve()

    assert lu[("process_resident_memory_bytes", ())] > 1_000_000
    assert lu[("process_cpu_seconds_total", ())] > 0
