"""HTTP and sockets put together: HTTP as WSGI on lasting threads, sockets beside it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter
from django.conf import settings

from accounts.authentification import acteur_du_jeton
from config.corps import CorpsRecu
from config.domaine.erreurs import ErreurMetier
from config.realtime.auth import Identite, IdentiteRefusee
from config.realtime.processus import arreter, demarrer_boucle
from config.realtime.routing import application as sockets
from config.wsgi import application as http
from guests.authentification import acteur_invite
from guests.erreurs import ModeInviteFerme
from guests.services import exiger_etape, session_de

FILS = 4  # threads of HTTP; more gained nothing


def identifier(parametres: Mapping[str, str]) -> Identite:
    """Who opens a socket: a token where there is one, else a guest id."""
    try:
        if parametres.get("token"):
            acteur = acteur_du_jeton(parametres["token"])
            return Identite(acteur, acteur.expire, session_id=acteur.session_id, compte_id=acteur.compte.pk)  # type: ignore[union-attr]
        exiger_etape("read")
        acteur = acteur_invite(session_de(parametres.get("guestId")))
        return Identite(acteur, None, invite_id=acteur.invite.pk)  # type: ignore[union-attr]
    except ModeInviteFerme as refus:
        raise IdentiteRefusee(4003 if parametres.get("guestId") else 4001) from refus
    except ErreurMetier as refus:
        raise IdentiteRefusee(4001) from refus


async def lifespan(scope: Any, receive: Any, send: Any) -> None:
    """Start and stop of the process."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            demarrer_boucle(asyncio.get_running_loop())
            await send({"type": "lifespan.startup.complete"})
        else:
            await arreter()
            await send({"type": "lifespan.shutdown.complete"})
            return


application = ProtocolTypeRouter(
    {
        "http": CorpsRecu(WSGIMiddleware(http, workers=FILS), limite=settings.JSON_MAX_OCTETS + 1),
        "websocket": sockets(identifier),
        "lifespan": lifespan,
    }
)
