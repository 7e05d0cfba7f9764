"""clamd, where the operator has one (CLAMD_SOCKET): a path, or host:port. Without a verdict a file is not accepted."""

import socket
import struct
from typing import IO

from django.conf import settings

from resources.erreurs import AnalyseIndisponible

MORCEAU = 64 * 1024
SECONDES = 20.0


def virus_dans(contenu: IO[bytes]) -> str | None:
    """Name of the virus that clamd found; None for a clean file, or without clamd; 503 without a verdict."""
    if not settings.CLAMD_SOCKET:
        return None
    try:
        verdict = _demander(contenu)
    except (OSError, ValueError) as panne:
        raise AnalyseIndisponible(attente=60) from panne
    if verdict == "stream: OK":
        return None
    if verdict.startswith("stream: ") and verdict.endswith(" FOUND"):
        return verdict.removeprefix("stream: ").removesuffix(" FOUND")
    raise AnalyseIndisponible(attente=60)


def _demander(contenu: IO[bytes]) -> str:
    with _connecter(settings.CLAMD_SOCKET) as prise:
        prise.sendall(b"zINSTREAM\0")
        while morceau := contenu.read(MORCEAU):
            prise.sendall(struct.pack(">I", len(morceau)) + morceau)
        prise.sendall(struct.pack(">I", 0))
        reponse = b""
        while not reponse.endswith(b"\0") and len(reponse) < 4096:
            recu = prise.recv(4096)
            if not recu:
                break
            reponse += recu
    return reponse.rstrip(b"\0").decode("utf-8", "replace").strip()


def _connecter(adresse: str) -> socket.socket:
    if adresse.startswith("/"):
        prise = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        prise.settimeout(SECONDES)
        try:
            prise.connect(adresse)
        except OSError:
            prise.close()
            raise
        return prise
    hote, _separe, port = adresse.rpartition(":")
    return socket.create_connection((hote.strip("[]"), int(port)), timeout=SECONDES)
