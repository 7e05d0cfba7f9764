"""The two addresses of a channel."""

from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

from socle.realtime.auth import Portier
from socle.realtime.consumers import Consommateur


async def _inconnue(scope: dict[str, Any], receive: Any, send: Any) -> Any:
    """Close before accepting: the handshake is refused on an address without a channel."""
    await receive()
    await send({"type": "websocket.close"})


def application(portier: Portier) -> URLRouter:
    """Build the WebSocket application; `portier` is asked in a thread, at the opening and at each later check."""
    connexion = Consommateur.as_asgi(portier=portier)
    return URLRouter(
        [
            re_path(r"^(?:api/v1/)?ws/(?P<canal>.*?)/?\Z", connexion),
            re_path(r"", _inconnue),
        ]
    )
