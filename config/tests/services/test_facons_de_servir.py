"""Each way to serve that the documentation names, as a process of its own, through all that it has to carry."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from config.tests.outils.serveur import RACINE, Serveur, base_neuve, services
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE
from resources.tests.fabriques import image

pytestmark = pytest.mark.parcours
TELEPHONE = "+243812345621"
# As the documentation writes them; the number of processes is what a shared base allows.
FACONS = {
    "serve": ["manage.py", "serve", "--no-migrate"],
    "uvicorn": [
        *("-m", "uvicorn", "config.asgi:application", "--port", "{port}", "--workers", "{processus}"),
        *("--ws", "websockets-sansio", "--ws-per-message-deflate", "false", "--no-access-log", "--no-proxy-headers"),
    ],
    "daphne": ["-m", "daphne", "-v", "0", "-p", "{port}", "config.asgi:application"],
    "runserver": ["manage.py", "runserver", "127.0.0.1:{port}"],
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    dossier = tmp_path_factory.mktemp("installation")
    with services() as reglages:
        premier = Serveur(dossier, **reglages)
        try:
            premier.demarrer()
            assert premier.terminer() == 0
        finally:
            premier.tuer()
        yield dossier, reglages


@pytest.fixture(params=FACONS, scope="module")
def serveur(request, installation, tmp_path_factory) -> Iterator[Serveur]:
    (dossier, reglages), le_sien = installation, tmp_path_factory.mktemp(request.param)
    shutil.copytree(dossier, le_sien, dirs_exist_ok=True)
    with ExitStack() as pile:
        if reglages:
            copie = pile.enter_context(base_neuve(reglages["DATABASE_URL"], copie=True))
            reglages = {**reglages, "DATABASE_URL": copie}
        un = Serveur(le_sien, **reglages)
        un.regler(PUBLIC_URL=un.url, DEBUG=str(request.param == "runserver").lower())
        pile.callback(un.tuer)
        processus = 2 if reglages else 1
        un.executer(*(mot.format(port=un.port, processus=processus) for mot in FACONS[request.param]))
        un.attendre_une_reponse()
        yield un


@pytest.mark.parametrize("chemin", ["/health", "/health/live", "/health/", "/health/live/"])
def test_chaque_facon_repond_aux_sondes_plusieurs_fois(serveur, chemin):
    with httpx.Client(base_url=serveur.url) as client:
        reponses = [client.get(chemin) for _fois in range(3)]

    assert [reponse.status_code for reponse in reponses] == [200] * 3
    assert len({reponse.headers["X-Request-Id"] for reponse in reponses}) == 3


def test_chaque_facon_porte_un_signalement_son_annonce_et_sa_preuve(serveur):
    equipe = serveur.client()("POST", "/auth/login", {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE})
    annonces = serveur.ecouter("signalements", token=equipe["token"])
    annonces.attendre("connected")
    guest_id = serveur.client()("POST", "/guest/sessions", {"telephone": TELEPHONE}, statut=201)["guestId"]
    invite = serveur.client(guest_id=guest_id)

    corps = {"titre": "Porte", "description": "La serrure est cassée.", "type": "VOL"}
    dossier = invite("POST", "/signalements/", corps, statut=201)

    assert annonces.attendre("signalement_created")["payload"]["id"] == dossier["id"]
    with httpx.Client(base_url=serveur.url, headers={"X-Guest-Id": guest_id}, timeout=30) as client:
        photo = {"file": ("porte.png", image(), "image/png")}
        envoye = client.post("/api/v1/fichiers/upload", files=photo)
        assert envoye.status_code == 201, envoye.text
        trop = client.post("/api/v1/signalements/", content=b"x" * 1_100_000)
        assert (trop.status_code, trop.json()["code"]) == (413, "BODY_TOO_LARGE")
        en_morceaux = client.post("/api/v1/signalements/", content=iter([b'{"titre": "Po', b'rte"}']))
        assert en_morceaux.status_code in (415, 422)
    dits = serveur.journal.read_text() + serveur.sortie.read_text()
    assert [secret for secret in (equipe["token"], guest_id) if secret in dits] == []


def test_chaque_facon_ouvre_un_socket_sans_secret_dans_l_adresse(serveur):
    jeton = serveur.client()("POST", "/auth/login", {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE})["token"]
    adresse = f"{serveur.url.replace('http', 'ws', 1)}/api/v1/ws/signalements"
    facons: list[dict[str, Any]] = [
        {"additional_headers": {"Authorization": f"Bearer {jeton}"}},
        {"subprotocols": ["campus.v1", f"campus.jeton.{jeton}"]},
    ]

    for options in facons:
        with connect(adresse, open_timeout=30, **options) as prise:
            assert json.loads(prise.recv(timeout=10))["type"] == "connected"
            assert prise.subprotocol == ("campus.v1" if "subprotocols" in options else None)

    assert jeton not in serveur.journal.read_text() + serveur.sortie.read_text()


def test_chaque_facon_sert_une_page_et_ce_qui_la_dessine(serveur):
    with httpx.Client(base_url=serveur.url) as client:
        page = client.get("/")
        feuille = re.search(r'href="(/static/[^"]+\.css)"', page.text)
        style = client.get(feuille.group(1)) if feuille else None
        absente = client.get("/nulle-part")

    assert (page.status_code, style is not None and style.status_code) == (200, 200)
    assert absente.status_code == 404
    assert serveur.journal.read_text().count('"level":"ERROR"') == 0


def test_les_facons_sont_celles_que_la_documentation_nomme():
    textes = [RACINE / "README.md", RACINE / "CONTRIBUTING.md", *sorted((RACINE / "docs").glob("*.md"))]
    dit = "\n".join(un.read_text(encoding="utf-8") for un in textes)
    uvicorn = " ".join(FACONS["uvicorn"][1:]).replace("{processus}", "4").replace("--port {port} ", "")

    assert uvicorn in dit
    assert {nom for nom in ("daphne", "gunicorn", "granian", "hypercorn") if f"`{nom} " in dit} == {"daphne"}
