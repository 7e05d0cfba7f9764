"""Readers that never read, and slow ones that do; uvicorn as `serve` sets it, a limit that is short."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from config.management.commands import serve
from config.serveur import ecoulement, protocoles, requetes
from config.serveur.ecoulement import Ecoulement, surveillees
from config.tests.outils.serveur import attendre

pytestmark = pytest.mark.longue

LIMITE = 1.2
FILM = 12_000_000
ENTETES = b"Host: localhost\r\n"


class Application:
    """A large file in pieces, a large answer at once, frames without end."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while True:
                await send({"type": "websocket.send", "text": "a" * 40_000})
        taille = {"/film": FILM, "/entier": FILM}.get(scope["path"], 2)
        longueur = (b"content-length", str(taille).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [longueur]})
        if scope["path"] == "/film":
            for _fois in range(FILM // 100_000):
                await send({"type": "http.response.body", "body": b"f" * 100_000, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        else:
            await send({"type": "http.response.body", "body": b"e" * taille})


class Serveur(uvicorn.Server):
    async def main_loop(self) -> None:
        async with surveillees(self.server_state.connections, limite=LIMITE):
            await super().main_loop()


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def serveur(request: pytest.FixtureRequest) -> Iterator[Any]:
    reglages = uvicorn.Config(
        Application(),
        http=requetes.Requetes,
        ws=protocoles.Prises,
        log_config=None,
        lifespan="off",
        log_level="critical",
        ws_per_message_deflate=False,
        loop=request.param,
    )
    lance = Serveur(reglages)
    ecoute = socket.create_server(("127.0.0.1", 0))
    fil = threading.Thread(target=lance.run, kwargs={"sockets": [ecoute]}, daemon=True)
    fil.start()
    attendre(lambda: lance.started, "le serveur")
    lance.port = ecoute.getsockname()[1]  # type: ignore[attr-defined]
    yield lance
    lance.should_exit = lance.force_exit = True
    fil.join(timeout=10)


def ouvrir(serveur: Any) -> socket.socket:
    """A connection whose window is small: what is not read stays with the server."""
    prise = socket.socket()
    prise.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    prise.settimeout(20)
    prise.connect(("127.0.0.1", serveur.port))
    return prise


@pytest.mark.parametrize("chemin", ["/film", "/entier"])
@pytest.mark.parametrize("suite", [b"", b"Connection: close\r\n"], ids=["garder", "fermer"])
def test_qui_ne_lit_jamais_sa_reponse_est_coupe(serveur, chemin, suite):
    with ouvrir(serveur) as prise:
        prise.sendall(b"GET %b HTTP/1.1\r\n" % chemin.encode() + ENTETES + suite + b"\r\n")
        attendre(lambda: serveur.server_state.connections, "la connexion")

        with pytest.raises(ConnectionResetError):  # not an end that would pass for a whole answer
            jusqu_a_la_coupure(serveur, prise)


def test_une_prise_qui_ne_lit_jamais_est_coupee_quoi_que_dise_le_protocole(serveur, monkeypatch):
    monkeypatch.setattr(protocoles, "LENTEUR_SECONDES", 60)
    with ouvrir(serveur) as brute, connect(f"ws://127.0.0.1:{serveur.port}/", sock=brute, max_queue=1):
        attendre(lambda: not serveur.server_state.connections, "la coupure")


def test_des_centaines_de_lecteurs_muets_s_en_vont_ensemble(serveur):
    prises = [ouvrir(serveur) for _rang in range(100)]
    for prise in prises:
        prise.sendall(b"GET /entier HTTP/1.1\r\n" + ENTETES + b"\r\n")
        assert prise.recv(1) == b"H"  # the answer has begun

    for prise in prises:
        with prise, pytest.raises(ConnectionResetError):
            jusqu_a_la_coupure(serveur, prise)
    assert not serveur.server_state.connections


def jusqu_a_la_coupure(serveur: Any, prise: socket.socket) -> None:
    attendre(lambda: not serveur.server_state.connections, "la coupure", 20)
    while prise.recv(65_536):
        pass


def test_un_lecteur_lent_qui_lit_recoit_tout(serveur):
    """Far longer than the limit, a little at a time, behind what the kernel keeps for it."""
    with ouvrir(serveur) as prise:
        prise.sendall(b"GET /film HTTP/1.1\r\n" + ENTETES + b"Connection: close\r\n\r\n")
        recus, pause = 0, threading.Event()
        for _fois in range(25):
            recus += len(prise.recv(2_000))
            pause.wait(LIMITE / 6)
        while morceau := prise.recv(1_000_000):
            recus += len(morceau)

    assert recus > FILM


def test_qui_attend_sans_rien_avoir_a_lire_n_est_pas_coupe(serveur):
    with ouvrir(serveur) as prise:
        for _fois in range(3):
            prise.sendall(b"GET /court HTTP/1.1\r\n" + ENTETES + b"\r\n")
            assert prise.recv(65_536).endswith(b"\r\n\r\nee")
            threading.Event().wait(LIMITE)


class Transport:
    """Bytes that wait, and those that were taken."""

    def __init__(self) -> None:
        self.attendent, self.coupe = 10, False

    def get_write_buffer_size(self) -> int:
        return self.attendent

    def get_extra_info(self, _nom: str) -> None:
        return None

    def abort(self) -> None:
        self.coupe = True


def test_un_octet_dans_le_delai_suffit_et_une_pause_n_est_pas_gardee():
    un, autre = Transport(), Transport()
    guet = Ecoulement([SimpleNamespace(transport=un), SimpleNamespace(transport=autre)], limite=30)

    for seconde in range(0, 200, 5):
        un.attendent = 1 + seconde // 25
        autre.attendent = 0 if seconde == 25 else 10
        guet.passer(float(seconde))
        if seconde == 55:
            assert not autre.coupe

    assert not un.coupe
    assert autre.coupe


def test_sans_ce_que_linux_dit_notre_memoire_en_attente_le_dit(monkeypatch):
    monkeypatch.setattr(ecoulement, "_TCP_INFO", None)

    assert ecoulement.acquis(Transport()) == 10  # type: ignore[arg-type]


async def test_serve_surveille_ses_connexions(monkeypatch):
    vues = []

    async def boucle(serveur: Any) -> None:
        await asyncio.sleep(0)
        vues.append([limite for limite in en_cours if not limite.done()])

    en_cours: list[Any] = []

    async def veiller(guet: Ecoulement) -> None:
        en_cours.append(asyncio.current_task())
        assert (guet._limite, guet._connexions) == (30, serveur.server_state.connections)
        await asyncio.sleep(60)

    monkeypatch.setattr(uvicorn.Server, "main_loop", boucle)
    monkeypatch.setattr(Ecoulement, "veiller", veiller)
    serveur = serve.Serveur(uvicorn.Config(None), serve.Fin(lambda: None))  # type: ignore[arg-type]

    await serveur.main_loop()
    await asyncio.sleep(0)

    assert len(vues[0]) == 1
    assert en_cours[0].cancelled()
