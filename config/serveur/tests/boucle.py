"""Parts of the server's loop, called as a server would call them."""

import asyncio
from typing import Any

from config.serveur.gestionnaire import Gestionnaire
from config.serveur.pont import Filet, Pont
from socle.domaine.fils import Fils

DJANGO = Gestionnaire()
PONT = Pont(DJANGO.repondre, Fils(1, "essai"), Fils(1, "essai-sans-base"))


def portee(chemin: str = "/api/v1/signalements/", methode: str = "POST", **autres: Any) -> dict[str, Any]:
    """The scope of a request."""
    return {"type": "http", "path": chemin, "method": methode, "headers": [], "client": ("192.0.2.7", 1), **autres}


def avec_filet(suite: Any) -> Filet:
    return Filet(suite, PONT.dans_la_boucle)


async def appeler(application: Any, scope: dict[str, Any], messages: list[Any]) -> list[dict[str, Any]]:
    """What is answered; after `messages` the client says nothing more."""
    envoyes: list[dict[str, Any]] = []

    async def receive() -> Any:
        if messages:
            return messages.pop(0)
        await asyncio.sleep(60)

    async def send(message: dict[str, Any]) -> None:
        envoyes.append(message)

    await application(scope, receive, send)
    return envoyes


def morceau(corps: bytes, suite: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": corps, "more_body": suite}
