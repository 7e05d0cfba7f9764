"""Journeys through a real Caddy, with the file that `deploy/` ships and two processes behind it.

It comes with the packages of development; `CADDY=/path/to/caddy` names another. That of Debian is not recent enough.
"""

import gzip
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from config.tests.outils.serveur import RACINE, Prise, Serveur, attendre, port_libre, services
from demo.textes import GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.parcours
AU_MOINS = (2, 11, 7)
ESSAIS = 8
FILM = 30_000_000


class Caddy:
    """The shipped file with another address, without certificate; `changer` is for limits that a test cannot reach."""

    def __init__(self, dossier: Path, processus: list[int], **changer: str) -> None:
        self.ici, self.port = dossier, port_libre()
        self.url = f"http://127.0.0.1:{self.port}"
        texte = (RACINE / "deploy" / "caddy" / "Caddyfile").read_text(encoding="utf-8")
        for avant, apres in {"{\n\t# What the error": "{\n\tadmin off\n\t# What the error", **changer}.items():
            assert avant in texte, avant
            texte = texte.replace(avant, apres, 1)
        self._fichier = dossier / "Caddyfile"
        self._fichier.write_text(texte, encoding="utf-8")
        self._reglages = {
            "DOMAINE": self.url,
            "DOMAINE_FICHIERS": f"http://127.0.0.1:{port_libre()}",
            "PROCESSUS": " ".join(f"127.0.0.1:{port}" for port in processus),
            "XDG_DATA_HOME": str(dossier),
            "XDG_CONFIG_HOME": str(dossier),
        }
        self._processus: subprocess.Popen[bytes] | None = None

    def demarrer(self) -> None:
        commande = [programme(), "run", "--adapter", "caddyfile", "--config", str(self._fichier)]
        with (self.ici / "journal").open("ab") as journal:
            self._processus = subprocess.Popen(  # noqa: S603 -- our own command
                commande, stdout=journal, stderr=journal, env={"PATH": os.environ["PATH"], **self._reglages}
            )
        attendre(self._repond, f"Caddy sur le port {self.port}", 60)

    def _repond(self) -> bool:
        if self._processus is not None and self._processus.poll() is not None:
            raise AssertionError(f"Caddy s'est arrêté :\n{self.journal}")
        try:
            return httpx.get(f"{self.url}/health/live").status_code < 600
        except httpx.TransportError:
            return False

    def arreter(self) -> None:
        if self._processus is not None:
            self._processus.terminate()
            self._processus.wait(timeout=10)

    @property
    def prises(self) -> int:
        """The descriptors that it holds."""
        assert self._processus is not None
        return len(os.listdir(f"/proc/{self._processus.pid}/fd"))

    @property
    def journal(self) -> str:
        return (self.ici / "journal").read_text()

    def client(self, **entetes: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers=entetes, timeout=60)


def programme() -> str:
    ici = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
    trouve = os.environ.get("CADDY") or shutil.which("caddy", path=ici)
    if trouve is None:
        pytest.skip("demande Caddy")
    dit = subprocess.run([trouve, "version"], capture_output=True, text=True, check=True)  # noqa: S603
    version = re.match(r"v?(\d+)\.(\d+)\.(\d+)", dit.stdout)
    if version is None or tuple(map(int, version.groups())) < AU_MOINS:
        pytest.skip(f"demande Caddy {'.'.join(map(str, AU_MOINS))}, non {dit.stdout.strip()}")
    return trouve


class Ensemble(NamedTuple):
    serveurs: list[Serveur]
    caddy: Caddy


@pytest.fixture(scope="module")
def ensemble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ensemble]:
    """Two processes on PostgreSQL and Redis, Caddy before them."""
    dossier = tmp_path_factory.mktemp("caddy")
    with ExitStack() as pile:
        programme()
        siens = pile.enter_context(services())
        if not siens:
            pytest.skip("plusieurs processus demandent PostgreSQL et Redis")
        reglages = {**siens, "TRUSTED_PROXIES": "127.0.0.1", "THROTTLE_ENABLED": "false"}
        serveurs = [Serveur(dossier, **reglages) for _rang in range(2)]
        for rang, serveur in enumerate(serveurs):
            pile.callback(serveur.tuer)
            serveur.demarrer(*(["--no-migrate"] if rang else []))
        caddy = Caddy(tmp_path_factory.mktemp("mandataire"), [serveur.port for serveur in serveurs])
        pile.callback(caddy.arreter)
        caddy.demarrer()
        yield Ensemble(serveurs, caddy)


@pytest.fixture
def caddy(ensemble: Ensemble) -> Caddy:
    return ensemble.caddy


def inviter(client: httpx.Client, telephone: str = "+243812345621") -> str:
    ouverte = client.post("/api/v1/guest/sessions", json={"telephone": telephone})
    assert ouverte.status_code == 201, ouverte.text
    return str(ouverte.json()["data"]["guestId"])


def test_un_invite_signale_et_rien_de_ce_qui_ouvre_n_est_au_journal(caddy):
    with caddy.client() as client:
        identite = {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE}
        jeton = client.post("/api/v1/auth/login", json=identite).json()["data"]["token"]
        invite = inviter(client)
        corps = {"titre": "Porte", "description": "La serrure est cassée.", "type": "VOL"}
        cree = client.post("/api/v1/signalements/", json=corps, headers={"X-Guest-Id": invite})
        suivi = client.get(f"/api/v1/guest/sessions/{invite}?token={jeton}")

    assert (cree.status_code, suivi.status_code) == (201, 200)
    attendre(lambda: "/guest/sessions/" in caddy.journal, "la ligne du suivi")
    assert [mot for mot in (jeton, invite) if mot in caddy.journal] == []


@pytest.mark.parametrize("chemin", ["/api/v1/fichiers/upload", "/api/v1/signalements/"])
def test_ce_qui_est_trop_grand_recoit_chaque_fois_un_refus_entier(caddy, chemin):
    """Whole each time: a proxy that is cut as it sends has no answer to hand on."""
    with caddy.client() as client:
        entetes = {"X-Guest-Id": inviter(client)}
        refus = []
        for _fois in range(ESSAIS):
            envoye = (
                client.post(chemin, files={"file": ("film.mp4", b"a" * FILM, "video/mp4")}, headers=entetes)
                if "upload" in chemin
                else client.post(chemin, content=b"a" * FILM, headers=entetes)
            )
            refus.append((envoye.status_code, envoye.json()["code"]))

    assert refus == [(413, "FILE_TOO_LARGE" if "upload" in chemin else "BODY_TOO_LARGE")] * ESSAIS


def test_un_processus_qui_redemarre_ne_se_voit_pas_meme_d_un_post(ensemble):
    fin, statuts = threading.Event(), []

    def demander() -> None:
        with ensemble.caddy.client() as client:
            while not fin.wait(0.05):
                corps = {"telephone": "+243812345622", "deviceFingerprint": "a" * 200}
                recue = client.post("/api/v1/guest/sessions", json=corps)
                statuts.append((recue.status_code, recue.json().get("code")))

    fils = [threading.Thread(target=demander) for _rang in range(4)]
    for fil in fils:
        fil.start()
    for serveur in ensemble.serveurs:
        avant = len(statuts)
        assert serveur.terminer() == 0
        serveur.demarrer("--no-migrate")
        assert len(statuts) > avant
    fin.set()
    for fil in fils:
        fil.join()

    assert set(statuts) == {(201, None)}


def test_l_api_et_les_feuilles_se_compressent_et_les_pages_non(caddy):
    with caddy.client(**{"Accept-Encoding": "gzip"}) as client:
        api, page = client.get("/api/v1/openapi.json"), client.get("/")
        feuille = client.get(re.findall(r'href="(/static/[^"]+\.css)"', page.text)[0])
        brut = client.build_request("GET", "/api/v1/openapi.json")
        lue = b"".join(client.send(brut, stream=True).iter_raw())

    assert [un.headers.get("Content-Encoding") for un in (api, feuille, page)] == ["gzip", "gzip", None]
    assert gzip.decompress(lue) == api.content


def test_sans_aucun_processus_c_est_dit_a_chacun_dans_sa_forme(tmp_path):
    caddy = Caddy(tmp_path, [port_libre()], **{"lb_try_duration 5s": "lb_try_duration 100ms"})
    try:
        caddy.demarrer()
        with caddy.client() as client:
            api, page = client.post("/api/v1/signalements/", json={}), client.get("/ecrire/")
    finally:
        caddy.arreter()

    assert (api.status_code, api.json()["code"], api.headers["Retry-After"]) == (503, "SERVICE_UNAVAILABLE", "5")
    assert (page.status_code, page.headers["Content-Type"]) == (503, "text/html; charset=utf-8")
    assert "Le service redémarre" in page.text
    assert "{" not in page.text


def test_un_socket_et_un_envoi_lents_passent_les_delais_de_silence(ensemble, tmp_path):
    """A socket says nothing for longer than the limits, a body takes longer than them: neither is silence."""
    ports = [serveur.port for serveur in ensemble.serveurs]
    delais = {"read_body_idle 30s": "read_body_idle 2s", "write_idle 30s": "write_idle 2s"}
    caddy = Caddy(tmp_path, ports, **delais)
    try:
        caddy.demarrer()
        with caddy.client() as client:
            identite = {"email": GESTIONNAIRE.email, "motDePasse": MOT_DE_PASSE}
            jeton = client.post("/api/v1/auth/login", json=identite).json()["data"]["token"]
            entetes = {"X-Guest-Id": inviter(client), "Content-Type": "application/json"}
            prise = Prise(f"ws://127.0.0.1:{caddy.port}/api/v1/ws/signalements?token={jeton}")
            prise.attendre("connected")
            cree = client.post("/api/v1/signalements/", content=_lentement(), headers=entetes)
            annonce = prise.attendre("signalement_created")["payload"]
            prise.fermer()
    finally:
        caddy.arreter()

    assert cree.status_code == 201, cree.text
    assert annonce["id"] == cree.json()["data"]["id"]


def _lentement() -> Iterator[bytes]:
    corps = b'{"titre": "Porte", "description": "Une serrure", "type": "VOL"}'
    for rang in range(0, len(corps), 8):
        time.sleep(0.8)
        yield corps[rang : rang + 8]


def test_qui_ne_lit_jamais_n_est_pas_tenu(ensemble, tmp_path):
    ports = [serveur.port for serveur in ensemble.serveurs]
    caddy = Caddy(tmp_path, ports, **{"write_idle 30s": "write_idle 2s"})
    try:
        caddy.demarrer()
        avant = caddy.prises
        with ExitStack() as pile:
            for _rang in range(20):
                muet = pile.enter_context(socket.create_connection(("127.0.0.1", caddy.port), timeout=10))
                muet.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                muet.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 60)
            attendre(lambda: caddy.prises >= avant + 20, "les lecteurs")

            attendre(lambda: caddy.prises <= avant + 5, "leur fin", 60)
    finally:
        caddy.arreter()
