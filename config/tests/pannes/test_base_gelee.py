"""A database that hangs: what answers, within what time, and what is left when it goes on."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import httpx
import pytest

from config.tests.outils.serveur import Serveur, attendre
from config.tests.pannes.conftest import Demarrer
from config.tests.pannes.machines import Postgres, gelee

pytestmark = pytest.mark.parcours
SIGNALEMENT = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}


@pytest.fixture
def serveur(demarrer: Demarrer) -> Serveur:
    return demarrer()


def ouvrir(serveur: Serveur) -> str:
    """A guest session; its id."""
    return serveur.client()("POST", "/guest/sessions", {"telephone": "+33639980099"}, statut=201)["guestId"]


def demander(serveur: Serveur, chemin: str, methode: str = "GET", **options: Any) -> tuple[int, Any]:
    """(status, body), within half a minute."""
    reponse = httpx.request(methode, f"{serveur.url}{chemin}", timeout=30, **options)
    return reponse.status_code, reponse.json() if reponse.headers["content-type"] == "application/json" else None


def test_une_base_gelee_n_emporte_pas_le_processus(serveur: Serveur, postgres: Postgres):
    invite = {"X-Guest-Id": ouvrir(serveur)}
    suivre = partial(demander, serveur, "/api/v1/guest/suivi", headers=invite)
    with ThreadPoolExecutor(40) as clients:
        list(clients.map(lambda _n: suivre(), range(20)))  # each thread has its connection
        with gelee(postgres):
            bloquees = [clients.submit(suivre) for _n in range(24)]
            bloquees += [
                clients.submit(demander, serveur, chemin, methode, headers=invite, **options)
                for chemin, methode, options in (
                    ("/api/v1/signalements/", "POST", {"json": SIGNALEMENT}),
                    ("/api/v1/fichiers/upload", "POST", {"files": {"file": b"a"}}),
                    ("/admin/", "GET", {"cookies": {"sessionid": "a" * 32}}),
                )
            ]
            sans_base = ("/health", "/health/live", "/api/v1/config", "/static/campus/commun.css", "/api/v1/docs")
            sans_base += ("/openapi.json", "/asyncapi.json", "/api/v1/docs/evenements", "/robots.txt")
            attendre(lambda: demander(serveur, "/health")[0] == 503, "l'oubli de la sonde d'avant le gel")
            statuts = [demander(serveur, chemin)[0] for chemin in sans_base]
            attendaient = sum(not futur.done() for futur in bloquees)
            refus = [futur.result() for futur in bloquees]

    assert statuts == [503, *[200] * 8]
    assert attendaient  # these did not wait behind those
    assert {statut for statut, _corps in refus} == {503}
    assert {corps["code"] for _statut, corps in refus if corps} == {"SERVICE_UNAVAILABLE"}
    attendre(lambda: demander(serveur, "/health")[0] == 200, "la base revenue")
    assert suivre()[1]["data"]["total"] == 0


def test_un_arret_finit_pendant_que_la_base_pend(serveur: Serveur, postgres: Postgres):
    invite = {"X-Guest-Id": ouvrir(serveur)}
    prise = serveur.ecouter("signalement:" + _signaler(serveur, invite), guestId=invite["X-Guest-Id"])
    prise.attendre("connected")
    with ThreadPoolExecutor(8) as clients:
        list(clients.map(lambda _n: demander(serveur, "/api/v1/guest/suivi", headers=invite), range(20)))
        with gelee(postgres):
            for _n in range(6):
                clients.submit(_suivre_jusqu_a_la_coupure, serveur, invite)
            time.sleep(1)  # they hang

            code = serveur.terminer()  # within fifteen seconds

    assert code in (0, -signal.SIGTERM)
    assert prise.code_de_fermeture() == 1012


def _signaler(serveur: Serveur, invite: dict[str, str]) -> str:
    return str(demander(serveur, "/api/v1/signalements/", "POST", json=SIGNALEMENT, headers=invite)[1]["data"]["id"])


def _suivre_jusqu_a_la_coupure(serveur: Serveur, invite: dict[str, str]) -> None:
    with suppress(httpx.HTTPError):
        demander(serveur, "/api/v1/guest/suivi", headers=invite)


def test_une_base_en_lecture_seule_se_dit_et_refuse_les_ecritures(serveur: Serveur, postgres: Postgres):
    invite = serveur.client(
        guest_id=serveur.client()("POST", "/guest/sessions", {"telephone": "+33639980099"}, statut=201)["guestId"]
    )
    postgres.executer("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    attendre(lambda: demander(serveur, "/health")[1]["data"]["baseDeDonnees"] == "LECTURE_SEULE", "la lecture seule")

    assert demander(serveur, "/health")[0] == 200
    invite("POST", "/signalements/", SIGNALEMENT, statut=503)
    assert invite("GET", "/guest/suivi")["total"] == 0

    postgres.executer(
        "SET default_transaction_read_only = off",
        "ALTER SYSTEM RESET default_transaction_read_only",
        "SELECT pg_reload_conf()",
    )
    attendre(lambda: demander(serveur, "/health")[1]["data"]["statut"] == "OK", "l'écriture revenue")
    invite("POST", "/signalements/", SIGNALEMENT, statut=201)
