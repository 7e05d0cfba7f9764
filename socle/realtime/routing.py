"""The two addresses of a channel."""

from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

from socle.realtime.auth import Admettre, Identifier, Revoir, aucune
from socle.realtime.consumers import Connexion


async def _inconnue(scope: dict[str, Any], receive: Any, send: Any) -> Any:
    """Close before accepting: the handshake is refused on an address without a channel."""
    await receive()
    await send({"type": "websocket.close"})


def tous(scope: dict[str, Any]) -> None:
    """The null `Admettre`: raises nothing, so that everyone comes to the check of identity."""


def application(identifier: Identifier, admettre: Admettre = tous, revoir: Revoir = aucune) -> URLRouter:
    """Build the WebSocket application; `identifier` runs in a thread, at the opening and at each later check."""
    connexion = Connexion.as_asgi(identifier=identifier, admettre=admettre, revoir=revoir)
    return URLRouter(
        [
            re_path(r"^(?:api/v1/)?ws/(?P<canal>.*?)/?\Z", connexion),
            re_path(r"", _inconnue),
        ]
    )
