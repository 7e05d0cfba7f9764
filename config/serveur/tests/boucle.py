"""Parts of the server's loop, called as a server would call them."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from config.serveur.gestionnaire import Gestionnaire
from config.serveur.pont import Filet, Pont
from config.serveur.protocoles import Prises
from socle.moteur.executeur import Executeur

DJANGO = Gestionnaire()
PONT = Pont(DJANGO.repondre, Executeur(1, "essai"), Executeur(1, "essai-sans-base"))


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


async def attendre_que(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 -- it comes of a thread as well
            await asyncio.sleep(0.01)


def sans_coupure(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set once a slow reader has been told to go; it is not cut afterwards, however late it reads."""
    renvoye, renvoyer = threading.Event(), Prises._renvoyer

    def renvoyer_seulement(prise: Prises) -> None:
        renvoyer(prise)
        prise._desarmer()
        renvoye.set()

    monkeypatch.setattr(Prises, "_renvoyer", renvoyer_seulement)
    return renvoye


def morceau(corps: bytes, suite: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": corps, "more_body": suite}
