"""A server that dies in the middle of a creation: the row and its key are both there, or neither."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from config.tests.contrat.test_idempotence import est_rejouee
from config.tests.outils.serveur import Serveur, services
from socle.idempotence.tests.panne import ETAPES

CAS = {"titre": "Sac volé", "description": "Mon sac a disparu à la bibliothèque.", "type": "VOL"}


@pytest.fixture(scope="module")
def reglages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Of one database for all the crashes."""
    reglages = {"DATA_DIR": str(tmp_path_factory.mktemp("panne")), "PUBLIC_URL": "http://campus.example"}
    with ExitStack() as pile:
        if siens := pile.enter_context(services()):
            reglages = {**siens, **reglages, "DEMO": "0"}
        Serveur(Path(reglages["DATA_DIR"]), **reglages).commander("migrate", secondes=120)
        yield reglages


@pytest.fixture
def lancer(reglages: dict[str, str]) -> Iterator[Any]:
    with ExitStack() as pile:

        def demarrer(**autres: str) -> Serveur:
            panne = {"DJANGO_SETTINGS_MODULE": "socle.idempotence.tests.reglages_de_panne"} if autres else {}
            serveur = Serveur(Path(reglages["DATA_DIR"]), **reglages, **panne, **autres)
            pile.callback(serveur.tuer)
            serveur.demarrer("--no-migrate")
            return serveur

        yield demarrer


@pytest.mark.parcours
@pytest.mark.parametrize("etape", ETAPES)
@pytest.mark.parametrize("sorte", ["signalement", "fichier"])
def test_un_processus_tue_laisse_la_ligne_et_sa_cle_ou_aucune(lancer, etape, sorte):
    condamne = lancer(PANNE=etape)
    guest_id = condamne.client()("POST", "/guest/sessions", {"telephone": "+243812345621"}, statut=201)["guestId"]
    entetes = {"X-Guest-Id": guest_id, "Idempotency-Key": str(uuid4())}

    with pytest.raises(httpx.TransportError):
        creer(condamne, sorte, entetes)
    assert condamne.attendre_la_fin() == -signal.SIGKILL

    releve = lancer()
    dossiers = releve.client(guest_id=guest_id)("GET", "/signalements/guest/me")["items"]
    assert len(dossiers) == (sorte == "signalement" and etape == "validation")

    reponses = [creer(releve, sorte, entetes) for _fois in range(2)]

    assert [r.status_code for r in reponses] == [201, 201]
    assert [est_rejouee(r) for r in reponses] == [etape == "validation", True]
    assert len({identifiant(r) for r in reponses}) == 1
    assert len(releve.client(guest_id=guest_id)("GET", "/signalements/guest/me")["items"]) == (sorte == "signalement")


def creer(serveur: Serveur, sorte: str, entetes: dict[str, str]) -> httpx.Response:
    url = f"{serveur.url}/api/v1/"
    if sorte == "signalement":
        return httpx.post(f"{url}signalements/", json=CAS, headers=entetes, timeout=10)
    envoi = {"file": ("constat.txt", b"Ce que j'ai vu mardi.", "text/plain")}
    return httpx.post(f"{url}fichiers/upload", files=envoi, headers=entetes, timeout=10)


def identifiant(reponse: httpx.Response) -> str:
    donnees = reponse.json()["data"]
    return str(donnees.get("fileId") or donnees["id"])
