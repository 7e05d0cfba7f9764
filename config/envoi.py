"""Files are sent from the server's loop: a slow reader holds no thread."""

import asyncio
from collections.abc import Callable, Iterable
from typing import IO, Any

from config.corps import Appel

MORCEAU = 256 * 1024


class _Envoi:
    """The file that a response is made of, once the thread that made it has gone."""

    fichier: IO[bytes] | None = None

    def prendre(self, fichier: IO[bytes], taille_de_bloc: int = MORCEAU) -> Iterable[bytes]:
        """The `wsgi.file_wrapper` of PEP 3333: nothing is left for the thread to send."""
        self.fichier = fichier
        return ()


class EnvoiEnBoucle:
    def __init__(self, suite: Appel) -> None:
        self.suite = suite

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        envoi = _Envoi()

        async def envoyer(message: Any) -> None:
            est_la_fin = message["type"] == "http.response.body" and not message.get("more_body")
            if est_la_fin and envoi.fichier is not None:
                await _copier(envoi.fichier, send)
            await send(message)

        try:
            await self.suite({**scope, "envoi": envoi.prendre}, receive, envoyer)
        finally:
            if envoi.fichier is not None:
                await asyncio.to_thread(envoi.fichier.close)


async def _copier(fichier: IO[bytes], send: Appel) -> None:
    while morceau := await asyncio.to_thread(fichier.read, MORCEAU):
        await send({"type": "http.response.body", "body": morceau, "more_body": True})


def avec_envoi(suite: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """WSGI: hand files to `EnvoiEnBoucle` where the request came through it."""

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        if prendre := environ.get("asgi.scope", {}).get("envoi"):
            environ["wsgi.file_wrapper"] = prendre
        return suite(environ, start_response)

    return application
