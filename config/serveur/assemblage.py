"""Assembly of the ASGI application: HTTP by Django on lasting threads, sockets beside it."""

import asyncio
from typing import Any

from channels.routing import ProtocolTypeRouter
from django.conf import settings

from campus import interrupteurs
from config.checks import exiger_coherence
from config.serveur.connexions import avertir
from config.serveur.corps import CorpsRecu
from config.serveur.gestionnaire import Gestionnaire
from config.serveur.identites import admettre, identifier, requete_de, revoir, televerse
from config.serveur.pont import Filet, Pont
from config.serveur.reglages import consigner_les_changements
from config.serveur.sonde import Sonde
from config.serveur.televersements import Televersements
from socle.api.reseau import cle_adresse
from socle.audit.greffe import greffe
from socle.moteur.executeur import communs, sans_base
from socle.realtime.auth import Portier
from socle.realtime.processus import arreter, demarrer_boucle
from socle.realtime.routing import application as sockets


async def lifespan(scope: Any, receive: Any, send: Any) -> None:
    """Start and stop of the process."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            demarrer_boucle(asyncio.get_running_loop())
            communs.submit(avertir)
            communs.submit(consigner_les_changements)
            communs.submit(interrupteurs.ouverts)  # so that the first page of the portal need not ask
            await send({"type": "lifespan.startup.complete"})
        else:
            await arreter()
            await asyncio.to_thread(greffe.arreter)
            await send({"type": "lifespan.shutdown.complete"})
            return


_pont = Pont(Gestionnaire().repondre, communs, sans_base)
_textes = CorpsRecu(_pont, limite=settings.JSON_MAX_OCTETS + 1, qui=lambda scope: cle_adresse(requete_de(scope)))
_recevoir = Televersements(_pont, _textes, qui=televerse)
application = ProtocolTypeRouter(
    {
        "http": Filet(Sonde(_recevoir, _pont.dans_la_boucle), _pont.dans_la_boucle),
        "websocket": sockets(Portier(identifier, admettre, revoir)),
        "lifespan": lifespan,
    }
)
exiger_coherence()
