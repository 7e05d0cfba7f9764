"""One socket on one channel."""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error as ErreurDeBase
from django.utils import timezone
from django.utils.translation import gettext as _

from socle.realtime import vocabulaire
from socle.realtime.auth import DemandeDeSocket, Ecoute, Identite, IdentiteRefusee, Portier, verifier
from socle.realtime.canaux import groupe, mener
from socle.realtime.enveloppe import Ecrit, enveloppe_de_service, position_de, texte_de
from socle.realtime.processus import processus_courant
from socle.realtime.relecture import LOT, relire
from socle.realtime.taches import PANNES
from socle.realtime.vocabulaire import CONTROLE

journal = logging.getLogger(__name__)

FILE_MAXIMALE = 256
TRAME_MAXIMALE = 4096
PONG = Ecrit("pong")


class Consommateur(AsyncWebsocketConsumer):
    """A socket: events in order, the close code last.

    Events go straight to the transport, where the server offers it (`EXTENSION`) and nothing waits; else to a bounded
    queue, which a task sends for as long as there is something to send.
    """

    def __init__(self, *, portier: Portier) -> None:
        super().__init__()
        self._portier = portier
        # Ecrit: a text to send; int: the close code; (channel, number): catch up on that channel after that number.
        self._file: deque[Ecrit | int | tuple[str, int]] = deque()
        self._a_rattraper = 0  # such pairs that wait
        self._ecrivain: asyncio.Task[None] | None = None  # while something waits, or is being sent
        self._autres_taches: list[asyncio.Task[None]] = []
        self._fin: asyncio.TimerHandle | None = None
        self._directement: Callable[[bytes], bool] | None = None
        self._ecoute: Ecoute | None = None
        self._audiences: list[str] = []
        self._depuis: str | None = None
        self._position = 0
        self._annonce = 0
        self._plus_haut_offert = 0
        self._est_en_direct = False
        self._est_ferme = False
        self._groupes: set[str] = set()
        self.demande = self.canal = ""
        self.depart = 0
        self.verifie_a = 0.0

    @property
    def identite(self) -> Identite:
        assert self._ecoute is not None  # noqa: S101 -- known from the moment the table knows this socket
        return self._ecoute.identite

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Hear the layer by a callable, where it takes one: Channels' own loop makes a task for each message."""
        self._directement = (scope.get("extensions") or {}).get(vocabulaire.EXTENSION)
        self._processus = processus_courant(self._portier)
        couche: Any = get_channel_layer()
        try:
            if hasattr(couche, "entendre"):
                await self._recevoir(scope, receive, send, couche)
            else:
                await super().__call__(scope, receive, send)
        finally:
            self._quitter()
            await self._suivre(set())
            if hasattr(couche, "oublier"):
                couche.oublier(self.channel_name)

    async def _recevoir(self, scope: Any, receive: Any, send: Any, couche: Any) -> None:
        self.scope, self.base_send, self.channel_layer = scope, send, couche
        self.channel_name = await couche.new_channel()
        couche.entendre(self.channel_name, self._processus.recevoir)
        with suppress(StopConsumer):
            while True:
                await self.dispatch(await receive())

    async def evenement(self, message: dict[str, Any]) -> None:
        """Hear what a layer that takes no callable hands to each member of a group; the first of the process counts."""
        self._processus.recevoir(message)

    async def _suivre(self, groupes: set[str]) -> None:
        """Be a member of these groups, and of no other; what a layer that fails does not bring, the poll reads."""
        if self.channel_layer is None:
            return
        try:
            for groupe in groupes - self._groupes:
                self._groupes.add(groupe)
                await self.channel_layer.group_add(groupe, self.channel_name)
            for groupe in self._groupes - groupes:
                self._groupes.discard(groupe)
                await self.channel_layer.group_discard(groupe, self.channel_name)
        except PANNES as panne:
            journal.warning("Couche de diffusion injoignable (%s).", type(panne).__name__)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler without Channels' hop into a thread for database connections: none is used here."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    # --- Opening ----------------------------------------------------------------------------------------------------

    async def connect(self) -> None:
        """Accept, then check: a browser sees no close code of a socket refused before it is open."""
        self._demande = DemandeDeSocket.de(self.scope)
        await self.accept(self._demande.protocole)
        self.demande = self.canal = self.scope["url_route"]["kwargs"].get("canal", "")
        self._depuis = self._demande.parametres.get("depuis")
        try:
            ecoute = await self._processus.guichet.etablir(self._demande, self.demande)
        except IdentiteRefusee as refus:
            await self._clore(refus.code)
        except ErreurDeBase as panne:
            journal.warning("Socket remis à plus tard (%s).", type(panne).__name__)
            await self._clore(vocabulaire.FERMETURE_REESSAYER)
        else:
            await self._commencer(ecoute)

    async def _commencer(self, ecoute: Ecoute) -> None:
        table = self._processus.table
        if table.nombre(ecoute.identite.personne) >= settings.SOCKETS_PAR_ACTEUR:
            await self._clore(vocabulaire.FERMETURE_TROP_DE_SOCKETS)
            return
        self._ecoute, self._audiences, self.canal = ecoute, ecoute.audiences, ecoute.canal
        self.depart = self._position = ecoute.depart
        self._annonce = ecoute.dernier
        # Jitter: sockets that came together after a restart are not checked together ever after.
        periode = settings.SOCKET_REVALIDATION_SECONDS
        self.verifie_a = self._processus.boucle.time() - periode * random.uniform(0.0, 0.5)  # noqa: S311 -- no secret
        self._poser_la_fin(ecoute.identite)
        est_en_retard = self._processus.inscrire(self, self._audiences)
        await self._suivre({groupe(CONTROLE), groupe(self.canal)})
        est_a_revoir = table.dernier_ordre > self.depart  # an order may have passed while the identity was checked
        if est_a_revoir:
            self._autres_taches.append(asyncio.create_task(self.reverifier()))
        if est_en_retard or est_a_revoir or self._depuis is not None or self._plus_haut_offert:
            debut = partial(self._saluer_et_rattraper, self.canal, self.depart, est_en_retard, a_resituer=est_a_revoir)
            self._ecrivain = asyncio.create_task(self._ecrire(debut))
        else:
            self._est_en_direct = True
            self._deposer(Ecrit(texte_de(self._connecte())))

    def _poser_la_fin(self, identite: Identite) -> None:
        """Close at the hour of this identity, which may have been put off, or brought forward, since the last time."""
        if self._fin is not None:
            self._fin.cancel()
            self._fin = None
        if identite.expire is not None and not self._est_ferme:
            reste = max((identite.expire - timezone.now()).total_seconds(), 0.0)
            self._fin = self._processus.boucle.call_later(reste, self.fermer, vocabulaire.FERMETURE_IDENTITE)

    # --- Writing ----------------------------------------------------------------------------------------------------

    async def _ecrire(self, debut: Callable[[], Awaitable[None]] | None = None) -> None:
        """Begin with `debut`, send what waits, and end; two such tasks never run together."""
        try:
            if debut is not None:
                await debut()
            while self._file:
                envoi = self._file.popleft()
                if isinstance(envoi, Ecrit):
                    await self.send(envoi.texte)
                elif isinstance(envoi, int):
                    await self._clore(envoi)
                else:
                    await self._rattraper(*envoi)
                    self._a_rattraper -= 1
                    self._est_en_direct = not self._a_rattraper
            self._ecrivain = None
        except (OSError, RuntimeError):  # the client is gone, in the words of one server or another
            await self._clore(vocabulaire.FERMETURE_INTERNE)
        except ErreurDeBase as panne:
            journal.warning("Rattrapage impossible (%s).", type(panne).__name__)
            await self._clore(vocabulaire.FERMETURE_REESSAYER)
        except Exception:
            journal.exception("Socket interrompu.")
            await self._clore(vocabulaire.FERMETURE_INTERNE)

    async def _saluer_et_rattraper(self, canal: str, depart: int, est_en_retard: bool, *, a_resituer: bool) -> None:
        if a_resituer and (vivant := await self._processus.en_fil(mener, self.demande)) != self.canal:
            canal, est_en_retard = vivant, True
            self._processus.deplacer(self, canal)
            await self._suivre({groupe(CONTROLE), groupe(canal)})
        await self.send(texte_de(self._connecte()))
        if est_en_retard or self._depuis is not None or self._plus_haut_offert:
            await self._rattraper(canal, self._depuis if self._depuis is not None else depart, self.demande)
        self._est_en_direct = not self._a_rattraper

    def _connecte(self) -> dict[str, Any]:
        compte_id = self.identite.compte_id
        payload = {
            "userId": str(compte_id) if compte_id else None,
            "canal": self.canal,
            "eventId": str(self._annonce),
        }
        return enveloppe_de_service("connected", self.canal, payload)

    async def _rattraper(self, canal: str, depuis: str | int, demande: str = "") -> None:
        """Replay in batches until the cursor passes every number offered meanwhile; the caller goes live unawaited."""
        while not self._est_ferme:
            deja_offert = self._plus_haut_offert
            lecteur = self.identite.compte_id
            lot = await self._processus.en_fil(relire, canal, self._audiences, depuis, LOT, demande, lecteur)
            for enveloppe in lot:
                await self.send(texte_de(enveloppe))
            if lot:
                depuis = self._position = position_de(lot[-1])
            if len(lot) < LOT and self._plus_haut_offert <= max(deja_offert, self._position):
                return

    def offrir(self, numero: int, ecrit: Ecrit) -> None:
        """Send an event of the channel; during a replay note its number alone, since the database holds it already."""
        if not self._est_en_direct:
            self._plus_haut_offert = numero
        elif numero > self._position:
            self._deposer(ecrit)

    def rediriger(self, canal: str, numero: int) -> None:
        """Move to another channel and catch up on it after this number; the queue is sent first."""
        if canal != self.canal and not self._est_ferme:
            self.depart, self._est_en_direct = numero, False
            self._processus.deplacer(self, canal)
            self._autres_taches.append(asyncio.create_task(self._suivre({groupe(CONTROLE), groupe(canal)})))
            self._a_rattraper += 1
            self._mettre_en_file((canal, numero))

    def _deposer(self, ecrit: Ecrit) -> None:
        """Send it at once where nothing waits and the transport takes it, else queue it; close where too much waits."""
        if self._est_ferme or self._ecoute is None:
            return
        if self._ecrivain is None and self._directement is not None and self._directement(ecrit.octets):
            return
        if len(self._file) < FILE_MAXIMALE:
            self._mettre_en_file(ecrit)
            return
        self._est_ferme = True  # too slow: it comes back with `depuis`
        self._processus.retirer(self)
        if self._ecrivain is not None:
            self._ecrivain.cancel()
        self._autres_taches.append(asyncio.create_task(self._clore(vocabulaire.FERMETURE_REESSAYER)))

    def _mettre_en_file(self, envoi: Ecrit | int | tuple[str, int]) -> None:
        self._file.append(envoi)
        if self._ecrivain is None:
            self._ecrivain = asyncio.create_task(self._ecrire())

    # --- Ending -----------------------------------------------------------------------------------------------------

    async def reverifier(self) -> None:
        """Check identity and rights again, close on a refusal; while the database is away the socket stays open."""
        self.verifie_a = self._processus.boucle.time()
        try:
            ecoute = await self._processus.en_fil(verifier, self._portier.identifier, self._demande, self.canal)
        except IdentiteRefusee as refus:
            self.fermer(refus.code)
        except ErreurDeBase as panne:
            journal.warning("Vérification d'un socket remise (%s).", type(panne).__name__)
        except Exception:
            journal.exception("Vérification d'un socket impossible.")
            self.fermer(vocabulaire.FERMETURE_INTERNE)
        else:
            if self._ecoute is not None:
                self._ecoute = self._ecoute._replace(identite=ecoute.identite)  # of another role, perhaps
                self._poser_la_fin(ecoute.identite)
            self.entendre(ecoute.audiences)

    def entendre(self, audiences: list[str]) -> None:
        """Replace the audiences of this socket in the table."""
        if audiences != self._audiences and not self._est_ferme:
            self._audiences = audiences
            self._processus.table.changer_audiences(self, audiences)

    def fermer(self, code: int) -> None:
        """Leave the table, send what is queued, then close with this code."""
        if not self._est_ferme and self._ecoute is not None:
            self._est_ferme = True
            self._processus.retirer(self)
            self._mettre_en_file(code)

    async def _clore(self, code: int) -> None:
        self._est_ferme = True
        if self._ecoute is not None:
            self._processus.retirer(self)
        try:
            await self.close(code)
        except (OSError, RuntimeError):
            journal.debug("Le client était déjà parti.")

    def _quitter(self) -> None:
        self._est_ferme = True
        if self._ecoute is not None:
            self._processus.retirer(self)
        if self._fin is not None:
            self._fin.cancel()
        for tache in (self._ecrivain, *self._autres_taches):
            if tache is not None:
                tache.cancel()

    # --- Reading ----------------------------------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        recu = text_data.encode() if text_data is not None else bytes_data or b""
        if len(recu) > TRAME_MAXIMALE:
            self.fermer(vocabulaire.FERMETURE_TRAME_TROP_LONGUE)
        elif text_data == "ping":
            self._deposer(PONG)
        else:
            refus = {"code": "INVALID_FRAME", "message": _("Ce message n'est pas compris : seul « ping » l'est.")}
            self._deposer(Ecrit(texte_de(enveloppe_de_service("error", self.canal, refus))))
