"""Frames put on the wire by the application itself, beside those sent through ASGI; uvicorn as `serve` sets it."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from config.serveur import protocoles, requetes
from config.serveur.tests.boucle import sans_coupure
from config.tests.outils.serveur import attendre
from socle.realtime.enveloppe import Ecrit
from socle.realtime.vocabulaire import EXTENSION

POIGNEE_DE_MAIN = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXTES = ["", "é" * 62, "a" * 125, "a" * 126, "é" * 32_767, "a" * 65_535, "a" * 65_536, "a" * 70_000]


class Piece:
    """An application whose part is told by a test: `jouer(ecrire, envoyer, recevoir)`, once the socket is open."""

    def __init__(self, jouer: Callable[..., Any]) -> None:
        self._jouer = jouer
        self.panne: BaseException | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        ecrire = scope["extensions"][EXTENSION]
        try:
            assert not ecrire(b"avant"), "not before the handshake is answered"
            await send({"type": "websocket.accept"})
            await self._jouer(ecrire, send, receive)
        except BaseException as panne:
            self.panne = panne
            raise


@contextmanager
def jouee(jouer: Callable[..., Any], **options: Any) -> Iterator[int]:
    """The port of a server of this part; what failed in it fails the test."""
    piece = Piece(jouer)
    reglages = uvicorn.Config(
        piece,
        http=requetes.Requetes,
        ws=protocoles.Prises,
        log_config=None,
        lifespan="off",
        log_level="critical",
        **{"ws_per_message_deflate": False, **options},
    )
    lance = uvicorn.Server(reglages)
    ecoute = socket.create_server(("127.0.0.1", 0))
    fil = threading.Thread(target=lance.run, kwargs={"sockets": [ecoute]}, daemon=True)
    fil.start()
    attendre(lambda: lance.started, "le serveur")
    try:
        yield ecoute.getsockname()[1]
    finally:
        lance.should_exit = lance.force_exit = True
        fil.join(timeout=10)
    if piece.panne is not None and not isinstance(piece.panne, asyncio.CancelledError):
        raise piece.panne


def tout_recu(port: int) -> bytes:
    """All the octets after the handshake, until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as prise:
        prise.sendall(POIGNEE_DE_MAIN)
        recu = b""
        while morceau := prise.recv(65_536):
            recu += morceau
    return recu.partition(b"\r\n\r\n")[2]


def texte(contenu: str) -> dict[str, str]:
    return {"type": "websocket.send", "text": contenu}


def test_une_trame_a_les_octets_que_le_serveur_aurait_envoyes():
    async def directe(ecrire, envoyer, recevoir):
        for contenu in TEXTES:
            if not ecrire(Ecrit(contenu).octets):  # it would wait: ASGI waits
                await envoyer(texte(contenu))

    async def par_asgi(ecrire, envoyer, recevoir):
        for contenu in TEXTES:
            await envoyer(texte(contenu))

    with jouee(directe) as une, jouee(par_asgi) as autre:
        assert tout_recu(une) == tout_recu(autre) != b""


def test_les_trames_restent_dans_l_ordre_de_celles_d_asgi_et_de_la_fermeture():
    async def jouer(ecrire, envoyer, recevoir):
        for rang in range(0, 60, 3):
            assert ecrire(Ecrit(str(rang)).octets)
            await envoyer(texte(str(rang + 1)))
            assert ecrire(Ecrit(str(rang + 2)).octets)
        await envoyer({"type": "websocket.close", "code": 4001})
        assert not ecrire(Ecrit("trop tard").octets)

    with jouee(jouer) as port, connect(f"ws://127.0.0.1:{port}/") as prise:
        assert [prise.recv(timeout=5) for _rang in range(60)] == [str(rang) for rang in range(60)]
        with pytest.raises(ConnectionClosed) as fin:
            prise.recv(timeout=5)

    assert fin.value.rcvd.code == 4001


def test_un_client_qui_offre_la_compression_lit_les_trames():
    async def jouer(ecrire, envoyer, recevoir):
        assert ecrire(Ecrit("directe").octets)
        await envoyer(texte("compressée" * 50))
        assert ecrire(Ecrit("encore").octets)
        await recevoir()

    with jouee(jouer, ws_per_message_deflate=True) as port, connect(f"ws://127.0.0.1:{port}/") as prise:
        assert [prise.recv(timeout=5) for _rang in range(3)] == ["directe", "compressée" * 50, "encore"]


def test_les_trames_de_controle_passent_entre_deux_trames():
    async def jouer(ecrire, envoyer, recevoir):
        while (await recevoir())["type"] == "websocket.receive":
            assert ecrire(Ecrit("vu").octets)

    with jouee(jouer, ws_ping_interval=0.05, ws_ping_timeout=5) as port, connect(f"ws://127.0.0.1:{port}/") as prise:
        for _fois in range(20):
            pong = prise.ping()
            prise.send("là ?")
            assert prise.recv(timeout=5) == "vu"
            assert pong.wait(5)


def test_apres_la_fermeture_du_client_rien_n_est_plus_ecrit():
    refuses = []

    async def jouer(ecrire, envoyer, recevoir):
        await recevoir()
        refuses.append(not ecrire(Ecrit("trop tard").octets))

    with jouee(jouer) as port:
        with connect(f"ws://127.0.0.1:{port}/"):
            pass
        attendre(lambda: refuses, "la fin du socket")

    assert refuses == [True]


def test_un_client_parti_sans_rien_dire_ne_recoit_plus_rien():
    refuses = []

    async def jouer(ecrire, envoyer, recevoir):
        assert (await recevoir())["type"] == "websocket.disconnect"
        refuses.append(not ecrire(Ecrit("trop tard").octets))

    with jouee(jouer) as port, socket.create_connection(("127.0.0.1", port)) as prise:
        prise.sendall(POIGNEE_DE_MAIN)
        prise.recv(1024)
        prise.close()
        attendre(lambda: refuses, "la fin du socket")

    assert refuses == [True]


def test_un_transport_qui_se_perd_a_l_instant_n_arrete_pas_qui_ecrit_aux_autres(monkeypatch):
    async def jouer(ecrire, envoyer, recevoir):
        prise = ecrire.__self__
        monkeypatch.setattr(prise, "transport", Perdu())
        assert not ecrire(Ecrit("perdue").octets)
        monkeypatch.undo()
        assert ecrire(Ecrit("suite").octets)

    with jouee(jouer) as port, connect(f"ws://127.0.0.1:{port}/") as client:
        assert client.recv(timeout=5) == "suite"


class Perdu:
    def is_closing(self) -> bool:
        return False

    def write(self, octets: bytes) -> None:
        raise RuntimeError("the handler is closed")


def test_a_qui_ne_lit_pas_rien_n_est_ecrit_passe_une_borne_et_1013_le_ferme(monkeypatch):
    monkeypatch.setattr(protocoles, "LENTEUR_SECONDES", 0.4)
    renvoye, ecrits = sans_coupure(monkeypatch), []

    async def jouer(ecrire, envoyer, recevoir):
        trame = Ecrit("a" * 10_000).octets
        for _fois in range(10_000):  # a hundred million octets, were there no bound
            if not ecrire(trame):
                break
            ecrits.append(trame)
        assert not ecrire(trame)
        await recevoir()

    with jouee(jouer) as port, socket.socket() as brute:
        brute.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        brute.connect(("127.0.0.1", port))
        with connect(f"ws://127.0.0.1:{port}/", sock=brute, max_queue=1, compression=None) as prise:
            assert renvoye.wait(10)
            recues = []
            with pytest.raises(ConnectionClosed) as fin:
                while True:
                    recues.append(prise.recv(timeout=10))

    assert fin.value.rcvd.code == 1013
    assert len(recues) == len(ecrits) < 2_000


@pytest.mark.parametrize(("suite", "code"), [(b"", 1007), (b"\x88\x82" + bytes(4) + b"\x03\xe8", 1000)])
def test_un_texte_qui_n_est_pas_de_l_utf_8_ferme_par_1007_sans_erreur_au_journal(caplog, suite, code):
    """1000 where the client itself closes, just after."""
    recus = []

    async def jouer(ecrire, envoyer, recevoir):
        recus.append(await recevoir())

    with (
        jouee(jouer) as port,
        caplog.at_level("ERROR"),
        caplog.at_level("ERROR", "uvicorn.error"),
        socket.create_connection(("127.0.0.1", port), timeout=10) as prise,
    ):
        prise.sendall(POIGNEE_DE_MAIN)
        repondu = prise.recv(65_536)
        prise.sendall(b"\x01\x81" + bytes(4) + b"a" + b"\x80\x81" + bytes(4) + b"\xff" + suite)
        while not repondu.endswith((code).to_bytes(2, "big")):
            repondu += prise.recv(65_536)

    assert [recu["type"] for recu in recus] == ["websocket.disconnect"]
    assert caplog.records == []


@pytest.mark.parametrize(
    "poignee",
    [
        POIGNEE_DE_MAIN.replace(b"GET / ", b"GET /" + b"a" * 9_000 + b" "),
        POIGNEE_DE_MAIN[:-2] + b"X-Long: " + b"a" * 9_000 + b"\r\n\r\n",
        POIGNEE_DE_MAIN[:-2] + b"".join(b"X-%d: a\r\n" % rang for rang in range(140)) + b"\r\n",
        POIGNEE_DE_MAIN[:-2] + b"Content-Length: 2\r\n\r\nab",
        POIGNEE_DE_MAIN[:-2] + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
def test_une_poignee_de_main_illisible_recoit_400_et_la_fin(poignee):
    async def jouer(ecrire, envoyer, recevoir):
        raise AssertionError("the application is not asked")

    with jouee(jouer) as port, socket.create_connection(("127.0.0.1", port), timeout=10) as prise:
        prise.sendall(poignee)
        repondu = b""
        while morceau := prise.recv(65_536):
            repondu += morceau

    assert repondu.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"MALFORMED_REQUEST"' in repondu
