"""A client that sends what it is given, byte for byte, over a connection that it keeps while it may."""

import http.client
import socket
from contextlib import suppress

import httpx

from config.tests.preuves.hasard.generateurs import Requete


class Fil:
    def __init__(self, port: int) -> None:
        self._port = port
        self._prise: socket.socket | None = None

    def envoyer(self, requete: Requete, entetes: dict[str, bytes]) -> httpx.Response:
        """The answer; a connection that the server had closed meanwhile is opened again, once."""
        octets = self._octets(requete, entetes)
        if self._prise is not None:
            try:
                return self._echanger(requete.methode, octets)
            except (ConnectionError, http.client.BadStatusLine):
                self.fermer()
        return self._echanger(requete.methode, octets)

    def fermer(self) -> None:
        if self._prise is not None:
            self._prise.close()
            self._prise = None

    def _octets(self, requete: Requete, entetes: dict[str, bytes]) -> bytes:
        cible = requete.chemin + (f"?{requete.question}" if requete.question else "")
        tous = {"Host": f"127.0.0.1:{self._port}".encode(), **entetes, **requete.entetes}
        if requete.corps or requete.methode not in ("GET", "HEAD"):
            tous["Content-Length"] = str(len(requete.corps)).encode()
        tete = b"".join(nom.encode() + b": " + valeur + b"\r\n" for nom, valeur in tous.items())
        return f"{requete.methode} {cible} HTTP/1.1\r\n".encode() + tete + b"\r\n" + requete.corps

    def _echanger(self, methode: str, octets: bytes) -> httpx.Response:
        if self._prise is None:
            self._prise = socket.create_connection(("127.0.0.1", self._port), timeout=30)
        with suppress(ConnectionError):  # refused before its end: the answer is there to read
            self._prise.sendall(octets)
        recue = http.client.HTTPResponse(self._prise, method=methode)
        try:
            recue.begin()
            while recue.status == 100:
                recue.begin()
            corps = recue.read()
        finally:
            if recue.will_close or not recue.isclosed():
                self.fermer()
        entetes = [(nom, valeur) for nom, valeur in recue.getheaders() if nom.lower() != "content-encoding"]
        return httpx.Response(recue.status, headers=entetes, content=corps)
