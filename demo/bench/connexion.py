"""Clients of a real server that cost little themselves: HTTP kept alive, and a socket that counts what it hears."""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Any

from demo.bench.routes import API, RouteMesuree

TEXTE, PING = 1, 9


class ConnexionHttp:
    def __init__(self, lecteur: asyncio.StreamReader, ecrivain: asyncio.StreamWriter) -> None:
        self._lecteur = lecteur
        self._ecrivain = ecrivain

    @classmethod
    async def ouvrir(cls, port: int) -> "ConnexionHttp":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def demander(self, demande: RouteMesuree, octets: bytes) -> None:
        """Send these octets of the request and read its whole answer, which must be a success."""
        self._ecrivain.write(octets)
        tete = (await self._lecteur.readuntil(b"\r\n\r\n")).lower()
        longueur = int(tete.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        corps = await self._lecteur.readexactly(longueur)
        if not tete.startswith(b"http/1.1 2"):
            raise RuntimeError(f"{demande.methode} {demande.chemin} : {tete[9:12].decode()} {corps.decode()}")

    def fermer(self) -> None:
        self._ecrivain.close()


class Prise(asyncio.Protocol):
    """Call `entendu` with each text frame; the frames of a server are whole and unmasked."""

    def __init__(self, canal: str, jeton: str, entendu: Callable[[bytes], None]) -> None:
        self._demande = (
            f"GET {API}/ws/{canal}?token={jeton} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        ).encode()
        self._entendu = entendu
        self._recu = b""
        self._ouverte = False
        self.fermee = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._demande)

    def connection_lost(self, exc: Exception | None) -> None:
        self.fermee = True

    def data_received(self, data: bytes) -> None:
        self._recu += data
        if not self._ouverte:
            tete, fin, suite = self._recu.partition(b"\r\n\r\n")
            self._ouverte, self._recu = bool(fin), suite if fin else tete
        while self._ouverte and (trame := lire_une_trame(self._recu)):
            code, corps, self._recu = trame
            if code == TEXTE:
                self._entendu(corps)
            elif code == PING:
                self._transport.write(bytes([0x8A, 0x80 | len(corps), 0, 0, 0, 0]) + corps)

    def fermer(self) -> None:
        self._transport.abort()


def lire_une_trame(recu: bytes) -> tuple[int, bytes, bytes] | None:
    """Opcode and payload of the first frame, and what follows it; None until it is whole."""
    debut = 2 if len(recu) < 2 or recu[1] < 126 else 4 if recu[1] == 126 else 10
    if len(recu) < debut:
        return None
    fin = debut + (recu[1] if debut == 2 else int.from_bytes(recu[2:debut], "big"))
    return (recu[0] & 15, recu[debut:fin], recu[fin:]) if len(recu) >= fin else None
