"""HTTP and sockets put together: HTTP as WSGI on lasting threads, sockets beside it."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter
from django.conf import settings

from accounts.authentification import acteur_du_jeton
from config.api.reseau import cle_adresse
from config.api.throttling import consommer
from config.corps import CorpsRecu
from config.domaine.erreurs import ErreurMetier, TropDeRequetes
from config.envoi import EnvoiEnBoucle, avec_envoi
from config.realtime.auth import Identite, IdentiteRefusee
from config.realtime.processus import arreter, demarrer_boucle
from config.realtime.routing import application as sockets
from config.realtime.vocabulaire import FERMETURE_REESSAYER
from config.televersements import Televersements
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


def admettre(scope: Mapping[str, Any]) -> None:
    """Openings of sockets count in the general limit of their address, whoever they turn out to be."""
    entetes = {nom.decode("latin-1").lower(): valeur.decode("latin-1") for nom, valeur in scope.get("headers", ())}
    adresse = (scope.get("client") or ("",))[0]
    requete: Any = SimpleNamespace(
        META={"REMOTE_ADDR": adresse, "HTTP_X_FORWARDED_FOR": entetes.get("x-forwarded-for", "")}
    )
    try:
        consommer("general", cle_adresse(requete))
    except TropDeRequetes as refus:
        raise IdentiteRefusee(FERMETURE_REESSAYER) from refus


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


def televerse(scope: Mapping[str, Any]) -> str | None:
    """Names who may upload; None for who may not, whose upload is not received."""
    entetes = {nom.decode("latin-1").lower(): valeur.decode("latin-1") for nom, valeur in scope["headers"]}
    bearer, _separe, jeton = entetes.get("authorization", "").partition(" ")
    try:
        if bearer:
            return acteur_du_jeton(jeton.strip()).cle
        exiger_etape("create")
        return acteur_invite(session_de(entetes.get("x-guest-id"))).cle
    except ErreurMetier:
        return None  # the view refuses it, and says why


_http = EnvoiEnBoucle(WSGIMiddleware(avec_envoi(http), workers=FILS))
application = ProtocolTypeRouter(
    {
        "http": Televersements(_http, CorpsRecu(_http, limite=settings.JSON_MAX_OCTETS + 1), qui=televerse),
        "websocket": sockets(identifier, admettre),
        "lifespan": lifespan,
    }
)
