"""The body of a request, received in the server's loop before a thread is taken: a slow client holds none."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from config.api.exceptions import rendre
from config.api.reponses import en_json
from config.domaine.erreurs import RequeteMalformee

Appel = Callable[..., Awaitable[Any]]
SECONDES = 30.0


class CorpsRecu:
    """Past `limite` bytes nothing more is read: whoever judges the body sees that it is too large."""

    def __init__(self, suite: Appel, *, limite: int, delai: float = SECONDES) -> None:
        self.suite = suite
        self.limite = limite
        self.delai = delai

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        try:
            corps = await asyncio.wait_for(self._recevoir(receive), self.delai)
        except TimeoutError:
            await _refuser(scope, send)
            return
        if corps is not None:
            await self.suite(scope, _rejouer(corps, receive), send)

    async def _recevoir(self, receive: Appel) -> bytes | None:
        """The whole body, or None where the client left."""
        morceaux, total, suite = [], 0, True
        while suite and total <= self.limite:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            morceaux.append(message.get("body", b""))
            total += len(morceaux[-1])
            suite = message.get("more_body", False)
        return b"".join(morceaux)


def _rejouer(corps: bytes, receive: Appel) -> Appel:
    en_attente = [{"type": "http.request", "body": corps, "more_body": False}]

    async def recevoir() -> Any:
        return en_attente.pop() if en_attente else await receive()

    return recevoir


async def _refuser(scope: Any, send: Appel) -> None:
    requete: Any = SimpleNamespace(path=scope["path"], id_requete=uuid4().hex)
    corps, _entetes = rendre(RequeteMalformee(), requete)
    entetes = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 400, "headers": entetes})
    await send({"type": "http.response.body", "body": en_json(corps)})
