"""The two addresses of a channel."""

from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

from socle.realtime.auth import Admettre, Identifier, Revoir, aucune
from socle.realtime.consumers import Connexion


async def _inconnue(scope: dict[str, Any], receive: Any, send: Any) -> Any:
    """No channel lives at this address: the handshake itself is refused."""
    await receive()
    await send({"type": "websocket.close"})


def tous(scope: dict[str, Any]) -> None:
    """Admit everyone to the check of who they are."""


def application(identifier: Identifier, admettre: Admettre = tous, revoir: Revoir = aucune) -> URLRouter:
    """The websocket application; `identifier` judges who it is, in a thread, at the opening and again later."""
    connexion = Connexion.as_asgi(identifier=identifier, admettre=admettre, revoir=revoir)
    return URLRouter(
        [
            re_path(r"^(?:api/v1/)?ws/(?P<canal>.*?)/?\Z", connexion),
            re_path(r"", _inconnue),
        ]
    )
