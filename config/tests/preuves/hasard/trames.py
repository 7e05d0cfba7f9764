"""A socket of which every byte is ours: handshakes and frames that no client writes."""

import os
import socket
import struct
import time
from contextlib import suppress
from random import Random

from demo.bench.connexion import lire_une_trame

TEXTE, BINAIRE, FIN, PING, PONG = 1, 2, 8, 9, 10


class PriseBrute:
    def __init__(self, port: int, cible: str, *, tampon: int = 0, **entetes: str) -> None:
        self._prise = socket.socket()
        if tampon:
            self._prise.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, tampon)
        self._prise.settimeout(30)
        self._prise.connect(("127.0.0.1", port))
        demandes = {
            "Host": f"127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            **{nom.replace("_", "-"): valeur for nom, valeur in entetes.items()},
        }
        tete = "".join(f"{nom}: {valeur}\r\n" for nom, valeur in demandes.items())
        self._prise.sendall(f"GET {cible} HTTP/1.1\r\n{tete}\r\n".encode("latin-1"))
        self._recu = b""
        self.statut = self._lire_la_tete()

    def __enter__(self) -> "PriseBrute":
        return self

    def __exit__(self, *_fin: object) -> None:
        self._prise.close()

    @property
    def port(self) -> int:
        return int(self._prise.getsockname()[1])

    def envoyer(self, octets: bytes) -> None:
        with suppress(ConnectionError):  # closed meanwhile: what it was closed with is there to read
            self._prise.sendall(octets)

    def entendre(self) -> tuple[int, bytes]:
        """The next frame but pings, which it answers; (FIN, b"") where the connection ended without one."""
        while True:
            if lue := lire_une_trame(self._recu):
                code, corps, self._recu = lue
                if code != PING:
                    return code, corps
                self.envoyer(trame(PONG, corps))
                continue
            if not (morceau := self._recevoir()):
                return FIN, b""
            self._recu += morceau

    def attendre_le_texte(self, texte: bytes) -> None:
        """Pass over frames until this one."""
        while (lue := self.entendre()) != (TEXTE, texte):
            assert lue[0] != FIN, f"fermé par {lue[1][:2].hex()} en attendant {texte!r}"

    def code_de_fin(self) -> int:
        """The close code; 1006 where the connection ended without any. It must come within a minute."""
        limite = time.monotonic() + 60
        while (lue := self.entendre())[0] != FIN:
            assert time.monotonic() < limite, "toujours ouvert"
        return int.from_bytes(lue[1][:2], "big") if lue[1] else 1006

    def _recevoir(self) -> bytes:
        try:
            return self._prise.recv(65_536)
        except ConnectionError:
            return b""

    def _lire_la_tete(self) -> int:
        while b"\r\n\r\n" not in self._recu:
            if not (morceau := self._recevoir()):
                return 0
            self._recu += morceau
        tete, _separe, self._recu = self._recu.partition(b"\r\n\r\n")
        return int(tete[9:12])


def trame(
    code: int, corps: bytes, *, fin: bool = True, reserve: int = 0, masque: bool = True, longueur: int = -1
) -> bytes:
    """One frame; `longueur` is what it says it is long, where that is not so."""
    dite = len(corps) if longueur < 0 else longueur
    premier = bytes([(0x80 if fin else 0) | reserve << 4 | code])
    signe = 0x80 if masque else 0
    if dite < 126:
        tete = bytes([signe | dite])
    elif dite < 65_536:
        tete = bytes([signe | 126]) + struct.pack("!H", dite)
    else:
        tete = bytes([signe | 127]) + struct.pack("!Q", dite)
    cle = os.urandom(4) if masque else b""
    brouille = bytes(octet ^ cle[rang % 4] for rang, octet in enumerate(corps)) if masque else corps
    return premier + tete + cle + brouille


# What is sent on an open socket: with it, the socket may stay open (None) or be closed by one of these codes.
HOSTILES: dict[str, tuple[bytes, set[int | None]]] = {
    "ping en deux": (trame(TEXTE, b"pi", fin=False) + trame(0, b"ng"), {None}),
    "ping en mille": (trame(TEXTE, b"", fin=False) + trame(0, b"", fin=False) * 1_000 + trame(0, b"ping"), {None}),
    "pings de protocole": (trame(PING, b"x" * 125) * 5_000, {None}),
    "pongs que rien ne demande": (trame(PONG, b"x") * 5_000, {None}),
    "pings de texte": (trame(TEXTE, b"ping") * 2_000, {None}),
    "JSON": (trame(TEXTE, b'{"type": "subscribe", "canal": "admin"}'), {None}),
    "JSON coupe": (trame(TEXTE, b'{"type": '), {None}),
    "niveaux": (trame(TEXTE, b"[" * 4_096), {None}),
    "vide": (trame(TEXTE, b""), {None}),
    "binaire": (trame(BINAIRE, bytes(range(256)) * 16), {None}),
    "NUL": (trame(TEXTE, b"\x00" * 64), {None}),
    "trop longue": (trame(TEXTE, b"a" * 4_097), {1009}),
    "trop longue en morceaux": (trame(TEXTE, b"a" * 2_000, fin=False) + trame(0, b"a" * 2_097), {1009}),
    "plus que le serveur n'en lit": (trame(TEXTE, b"a" * 70_000), {1009}),
    "une longueur de 2**62": (trame(TEXTE, b"a", longueur=2**62), {1009}),
    "une longueur negative": (trame(TEXTE, b"a", longueur=2**63), {1002, 1009}),
    "pas UTF-8": (trame(TEXTE, b"\xff\xfe"), {1007}),
    "un demi surrogat": (trame(TEXTE, b"\xed\xa0\x80"), {1007}),
    "sans masque": (trame(TEXTE, b"ping", masque=False), {1002}),
    "bits reserves": (trame(TEXTE, b"ping", reserve=7), {1002}),
    "code inconnu": (trame(3, b""), {1002}),
    "controle inconnu": (trame(11, b""), {1002}),
    "suite de rien": (trame(0, b"ping"), {1002}),
    "deux debuts": (trame(TEXTE, b"pi", fin=False) + trame(TEXTE, b"ng"), {1002}),
    "controle en morceaux": (trame(PING, b"x", fin=False), {1002}),
    "controle trop long": (trame(PING, b"x" * 126), {1002}),
    "fin d'un octet": (trame(FIN, b"\x03"), {1002}),
    "fin par un code interdit": (trame(FIN, struct.pack("!H", 1005)), {1002}),
    "fin qui n'est pas UTF-8": (trame(FIN, struct.pack("!H", 1000) + b"\xff"), {1002, 1007}),
    "fin": (trame(FIN, struct.pack("!H", 1000)), {1000}),
    "une requete": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", {1002}),
}


def trame_au_hasard(hasard: Random) -> bytes:
    """Most often one that a client may send; else one with its opcode, its bits or its mask wrong."""
    code = hasard.choice((TEXTE, TEXTE, TEXTE, BINAIRE, PING, PONG, 0))
    longueurs = (0, 1, 5, 125) if code in (PING, PONG) else (0, 1, 5, 125, 126, 300, 4_096, 4_097)
    texte = "".join(hasard.choices("pingé😀\x00{}[]", k=hasard.choice(longueurs))).encode()
    corps = texte[:125] if code in (PING, PONG) else hasard.choice((texte, hasard.randbytes(len(texte))))
    bonne = hasard.random() < 0.85
    return trame(
        code if bonne else hasard.randint(0, 15),
        corps,
        fin=code in (PING, PONG) or hasard.random() < 0.8,
        reserve=0 if bonne else hasard.choice((0, 1, 4)),
        masque=bonne or hasard.random() < 0.5,
    )
