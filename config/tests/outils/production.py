"""A client that goes the production way: the server's WSGI environment, its handler, its routes, its headers.

Threads and sockets are left out: a request is answered in the transaction of its test.
"""

import io
from contextlib import closing
from functools import partial
from typing import IO, Any

from django.http import HttpResponse

from config.serveur.gestionnaire import Environ, Gestionnaire, Reponse, connexion_gardee
from config.serveur.pont import MORCEAU, environ_de
from config.tests.outils.clients import ClientApi

GESTIONNAIRE = Gestionnaire()  # one for all, as in a process: what it remembers of a request serves the next


class ClientDeProduction(ClientApi):
    """`ClientApi` with the handler of a started service in the place of Django's test handler."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.handler = _repondre


def _repondre(environ: Environ) -> HttpResponse:
    with connexion_gardee():
        rendue = GESTIONNAIRE.repondre(environ_de(_portee(environ)))
        corps = rendue.corps if rendue.fichier is None else _lire(rendue.fichier)
    return _reponse(rendue, corps)


def _lire(fichier: IO[bytes]) -> bytes:
    """All of it, by pieces as the loop sends them; closing it ends the request."""
    with closing(fichier):
        return b"".join(iter(partial(fichier.read, MORCEAU), b""))


def _portee(environ: Environ) -> dict[str, Any]:
    """The ASGI scope that a server would make of the octets of this request."""
    entetes = {"host": environ["SERVER_NAME"]}
    for cle, valeur in environ.items():
        if cle.startswith("HTTP_") or cle in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            entetes[cle.removeprefix("HTTP_").replace("_", "-").lower()] = valeur
    return {
        "type": "http",
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"].encode("latin-1").decode(),
        "query_string": environ["QUERY_STRING"].encode("latin-1"),
        "headers": [(nom.encode(), valeur.encode("latin-1")) for nom, valeur in entetes.items()],
        "client": (environ["REMOTE_ADDR"], 50_000),
        "server": (environ["SERVER_NAME"], int(environ["SERVER_PORT"])),
        "scheme": environ["wsgi.url_scheme"],
        "corps": io.BytesIO(environ["wsgi.input"].read()),
    }


def _reponse(rendue: Reponse, corps: bytes) -> Any:
    """The answer as tests read it; the request that Django made of it stays in the handler."""
    reponse: Any = HttpResponse(corps, status=rendue.statut)
    del reponse["Content-Type"]
    for nom, valeur in rendue.entetes:
        if nom == b"set-cookie":
            reponse.cookies.load(valeur.decode("latin-1"))
        else:
            assert nom.decode() not in reponse, f"{nom.decode()} est dit deux fois"
            reponse[nom.decode()] = valeur.decode("latin-1")
    reponse.wsgi_request = None
    return reponse
