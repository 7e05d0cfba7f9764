"""Servers that take a connection and then never say what is waited for; and one of mails that does."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

# What is done with a connection until it is closed, or until the test ends.
Conduite = Callable[[socket.socket, threading.Event], None]
_EN_DEMARRAGE = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"


def muet(prise: socket.socket, fin: threading.Event) -> None:
    fin.wait()


def goutte_a_goutte(prise: socket.socket, fin: threading.Event) -> None:
    """A greeting of SMTP that never ends: each wait of the client is answered in time."""
    prise.sendall(b"220 ")
    while not fin.wait(0.1):
        prise.sendall(b".")


def bavard(prise: socket.socket, fin: threading.Event) -> None:
    """Lines without end, each of them whole and in time."""
    while not fin.wait(0.1):
        prise.sendall(b"220-encore un instant\r\n")


def boite_qui_prend(recu: list[str], rcpt: bytes = b"250 Bien") -> Conduite:
    """A mail server that adds to `recu` the lines it is told; it answers this of every recipient."""

    def repondre(prise: socket.socket, fin: threading.Event) -> None:
        prise.sendall(b"220 campus\r\n")
        texte = False
        for brute in prise.makefile("rb"):
            ligne = brute.decode().strip()
            recu.append(ligne)
            texte = (texte or ligne == "data") and ligne != "."
            dit = rcpt if ligne.startswith("rcpt") else b"354 Texte" if ligne == "data" else b"250 Bien"
            prise.sendall(b"" if texte and ligne != "data" else dit + b"\r\n")

    return repondre


def en_demarrage(prise: socket.socket, fin: threading.Event) -> None:
    """What PostgreSQL answers while it recovers."""
    prise.recv(1024)
    prise.sendall(b"E" + (len(_EN_DEMARRAGE) + 4).to_bytes(4, "big") + _EN_DEMARRAGE)


@contextmanager
def serveur_sourd(conduite: Conduite) -> Iterator[int]:
    """The port of a server that behaves like this."""
    fin = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as ecoute:
        threading.Thread(target=_accueillir, args=(ecoute, conduite, fin), daemon=True).start()
        try:
            yield ecoute.getsockname()[1]
        finally:
            fin.set()


def _accueillir(ecoute: socket.socket, conduite: Conduite, fin: threading.Event) -> None:
    with suppress(OSError):
        while True:
            prise, _adresse = ecoute.accept()
            threading.Thread(target=_tenir, args=(prise, conduite, fin), daemon=True).start()


def _tenir(prise: socket.socket, conduite: Conduite, fin: threading.Event) -> None:
    with prise, suppress(OSError):
        conduite(prise, fin)
