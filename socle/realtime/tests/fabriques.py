"""People, sockets and events for the tests of this package."""

import asyncio
import json
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import transaction
from django.utils import timezone

from socle.domaine.acteurs import ActeurCompte, ActeurInvite
from socle.domaine.droits import Role
from socle.realtime.auth import Identite, IdentiteRefusee, Portier
from socle.realtime.diffusion import fermer_sockets, publier, rediriger
from socle.realtime.models import Evenement
from socle.realtime.routing import application
from socle.realtime.vocabulaire import EXTENSION, PUBLIC


def compte(role=Role.UTILISATEUR):
    """An account as the rules see it; the real ones live in an app above."""
    return SimpleNamespace(pk=uuid4(), role=role)


def identite(role=Role.UTILISATEUR, expire=None):
    qui = compte(role)
    return Identite(ActeurCompte(compte=qui), expire=expire, session_id=uuid4(), compte_id=qui.pk)


def identite_invitee():
    invite = SimpleNamespace(pk=uuid4())
    return Identite(ActeurInvite(invite=invite), invite_id=invite.pk)


def evenement(canal, numero=None, **champs):
    defauts = {"type": "essai_fait", "payload": {"n": numero}, "audience": PUBLIC}
    return Evenement.objects.create(canal=canal, numero=numero, **defauts | champs)


@transaction.atomic
def publier_puis_echouer():
    publier("essai_fait", ["equipe"], {})
    raise RuntimeError


publier_plus_tard = sync_to_async(publier)
fermer_plus_tard = sync_to_async(fermer_sockets)
rediriger_plus_tard = sync_to_async(rediriger)


class Prise:
    """The client's end of a socket."""

    def __init__(self, app, adresse, *, directement=False):
        self._communicateur = WebsocketCommunicator(app, adresse)
        if directement:
            self._communicateur.scope["extensions"] = {EXTENSION: self._prendre}

    def _prendre(self, octets):
        """What our own server does with whole frames, short ones here."""
        debut = 2 if octets[1] < 126 else 4
        message = {"type": "websocket.send", "text": octets[debut:].decode()}
        self._communicateur.output_queue.put_nowait(message)
        return True

    async def ouvrir(self):
        accepte, _ = await self._communicateur.connect(timeout=5)
        assert accepte
        return self

    async def dire(self, texte=None, octets=None):
        await self._communicateur.send_to(text_data=texte, bytes_data=octets)

    async def entendre(self, attente=5):
        """The next frame: an event, or the text that is not JSON."""
        texte = await self._communicateur.receive_from(timeout=attente)
        return json.loads(texte) if texte.startswith("{") else texte

    async def entendre_tout(self, nombre):
        return [await self.entendre() for _ in range(nombre)]

    async def code(self, attente=5):
        """The code that the next thing sent closes with."""
        sortie = await self._communicateur.receive_output(timeout=attente)
        assert sortie["type"] == "websocket.close", sortie
        return sortie["code"]

    async def est_silencieuse(self, duree=0.3):
        return await self._communicateur.receive_nothing(timeout=duree)

    async def raccrocher(self):
        await self._communicateur.disconnect()


class Foyer:
    """Identities behind tokens, and the sockets that were opened with them."""

    def __init__(self, *, directement=False):
        self._directement = directement
        self.etudiante = identite()
        self.gestionnaire = identite(Role.GESTIONNAIRE)
        self.invite = identite_invitee()
        self.jetons = {"etudiante": self.etudiante, "gestionnaire": self.gestionnaire, "invite": self.invite}
        self.verifications = 0
        self._app = application(Portier(self._identifier))
        self._prises = []

    def _identifier(self, demandes):
        self.verifications += len(demandes)
        return [self.jetons.get(demande.parametres.get("token")) or IdentiteRefusee(4001) for demande in demandes]

    async def frapper(self, canal, qui="etudiante", depuis=None, prefixe="/api/v1/ws/"):
        """Open a socket, whatever is answered."""
        suite = f"&depuis={depuis}" if depuis is not None else ""
        prise = Prise(self._app, f"{prefixe}{canal}?token={qui}{suite}", directement=self._directement)
        self._prises.append(prise)
        return await prise.ouvrir()

    async def entrer(self, canal, qui="etudiante", depuis=None):
        """Open a socket and read `connected`."""
        prise = await self.frapper(canal, qui, depuis)
        assert (await prise.entendre())["type"] == "connected"
        return prise

    def expirer_dans(self, secondes):
        self.jetons["etudiante"] = identite(expire=timezone.now() + timedelta(seconds=secondes))

    async def partir(self):
        await asyncio.gather(*(prise.raccrocher() for prise in self._prises), return_exceptions=True)
