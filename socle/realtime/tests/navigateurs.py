"""A socket as a browser's page opens it: with its cookies, from an origin."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from channels.testing import WebsocketCommunicator

from config.serveur.assemblage import application

ICI = "http://testserver"


@asynccontextmanager
async def prise_de(
    client: Any, adresse: str, *, origine: str | None = ICI, hote: str = "testserver"
) -> AsyncIterator[WebsocketCommunicator]:
    """The socket of this client, None for no cookie; `origine=None` is a client that is no browser."""
    cookies = client.cookies.output(attrs=[], header="", sep=";") if client else None
    entetes = {"host": hote, "cookie": cookies, "origin": origine}
    octets = [(nom.encode(), valeur.encode()) for nom, valeur in entetes.items() if valeur is not None]
    socket = WebsocketCommunicator(application, adresse, headers=octets)
    try:
        await socket.connect(timeout=5)
        yield socket
    finally:
        await socket.disconnect()


async def code(socket: WebsocketCommunicator) -> int:
    """The code it is closed with; what it says before is passed over."""
    while (sortie := await socket.receive_output(timeout=5))["type"] == "websocket.send":
        continue
    return int(sortie["code"])


async def salut(socket: WebsocketCommunicator) -> Any:
    return await socket.receive_json_from(timeout=5)
