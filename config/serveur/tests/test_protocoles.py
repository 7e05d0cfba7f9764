"""Clients that stall: before their request, and while they are sent events; uvicorn as `serve` sets it."""

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from config.management.commands import serve
from config.serveur import protocoles, requetes
from config.serveur.tests.boucle import sans_coupure
from config.tests.outils.serveur import attendre
from socle.api import sondes
from socle.moteur import delais

TRAME = "a" * 60_000
POIGNEE_DE_MAIN = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def bavard(scope: Any, receive: Any, send: Any) -> None:
    """Answers a request; to a socket it sends without end."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while True:
        await send({"type": "websocket.send", "text": TRAME})


@pytest.fixture
def serveur(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(requetes, "ENTETES_SECONDES", 0.4)
    monkeypatch.setattr(protocoles, "LENTEUR_SECONDES", 0.4)
    reglages = uvicorn.Config(
        bavard, http=requetes.Requetes, ws=protocoles.Prises, log_config=None, lifespan="off", log_level="critical"
    )
    lance = uvicorn.Server(reglages)
    ecoute = socket.create_server(("127.0.0.1", 0))
    fil = threading.Thread(target=lance.run, kwargs={"sockets": [ecoute]}, daemon=True)
    fil.start()
    attendre(lambda: lance.started, "le serveur")
    lance.port = ecoute.getsockname()[1]
    yield lance
    lance.should_exit = lance.force_exit = True
    fil.join(timeout=10)


def ouvrir(serveur: Any) -> socket.socket:
    return socket.create_connection(("127.0.0.1", serveur.port), timeout=20)


def test_les_delais_sont_ceux_que_la_documentation_promet() -> None:
    """Elsewhere they are shortened, so that tests need not wait."""
    assert (requetes.ENTETES_SECONDES, protocoles.LENTEUR_SECONDES, settings.EMAIL_TRY_SECONDS) == (20, 10, 30)
    assert max(delais.REPONSE_SECONDES, delais.REQUETE_SECONDES, delais.SQL_SECONDES) <= 20
    assert serve.ARRET_SECONDES < serve.FIN_SECONDES < 12
    assert requetes.OISIVE_SECONDES == 75
    assert sondes.SECONDES <= 2


def test_des_en_tetes_qui_n_en_finissent_pas_ferment_la_connexion(serveur):
    with ouvrir(serveur) as prise:
        prise.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Lent: ")
        with pytest.raises(OSError, match=r"pipe|reset"):
            for _fois in range(200):
                prise.sendall(b"a")
                time.sleep(0.05)


def test_une_connexion_muette_est_fermee(serveur):
    with ouvrir(serveur) as prise:
        assert prise.recv(1) == b""


def test_une_requete_entiere_n_est_pas_coupee_par_la_limite_des_en_tetes(serveur):
    with ouvrir(serveur) as prise:
        for _fois in range(3):
            prise.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert prise.recv(65_536).startswith(b"HTTP/1.1 204")
            time.sleep(0.2)


def prise_lente(serveur: Any) -> ClientConnection:
    """A socket whose window is small: what it does not read stays with the server."""
    brute = socket.socket()
    brute.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    brute.connect(("127.0.0.1", serveur.port))
    return connect(f"ws://127.0.0.1:{serveur.port}/", sock=brute, max_queue=1, compression=None)


def test_un_socket_qui_ne_lit_pas_est_ferme_par_le_code_qui_dit_de_revenir(serveur, monkeypatch):
    renvoye = sans_coupure(monkeypatch)
    with prise_lente(serveur) as prise:
        assert renvoye.wait(10)

        with pytest.raises(ConnectionClosed) as fin:
            while True:
                prise.recv(timeout=20)

    assert fin.value.rcvd.code == 1013


def test_un_socket_qui_ne_lit_plus_rien_ne_tient_rien(serveur):
    with ouvrir(serveur) as prise:
        prise.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        prise.sendall(POIGNEE_DE_MAIN)
        attendre(lambda: serveur.server_state.connections, "la connexion")

        attendre(lambda: not serveur.server_state.connections, "la coupure")
