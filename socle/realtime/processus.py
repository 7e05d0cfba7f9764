"""Shared state of the sockets of one server loop: the table, the poll, the membership in the layer, the threads."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from channels.layers import get_channel_layer
from django.db import Error as ErreurDeBase

from socle.moteur.executeur import Executeur, communs
from socle.realtime.auth import Portier
from socle.realtime.enveloppe import Trame
from socle.realtime.expedition import fixer_boucle_serveur
from socle.realtime.garde import Garde
from socle.realtime.guichet import Guichet
from socle.realtime.numerotation import arreter_expedition
from socle.realtime.relecture import lire_suite
from socle.realtime.table import Auditeur, Table
from socle.realtime.taches import sans_fin

P = ParamSpec("P")
T = TypeVar("T")

INTERVALLE_VEILLE = 1.0
ARRET = 1.5
_veille = Executeur(1, "veille")


class Processus:
    def __init__(self, portier: Portier) -> None:
        self.boucle = asyncio.get_running_loop()
        self.table = Table()
        self.guichet = Guichet(portier)
        self._garde = Garde(self.table.auditeurs, portier.revoir)
        self._reveil = asyncio.Event()
        self._taches: list[asyncio.Task[None]] = []

    async def en_fil(self, fonction: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """Run a function that reads the database in the common threads, away from the loop."""
        return await communs.en_fil(fonction, *args, **options)

    def inscrire(self, auditeur: Auditeur, audiences: list[str]) -> bool:
        """See `Table.inscrire`; the first socket starts the poll."""
        if not self._taches:
            self._taches = [
                asyncio.create_task(sans_fin(self._veiller, "Lecture des événements", pause_maximale=2)),
                asyncio.create_task(sans_fin(self._garde.tour, "Vérification des sockets", pause_maximale=5)),
            ]
        est_nouveau = auditeur.canal not in self.table.ouvertures
        en_retard = self.table.inscrire(auditeur, audiences)
        if est_nouveau:
            self._reveil.set()
        return en_retard

    def deplacer(self, auditeur: Auditeur, canal: str) -> None:
        """See `Table.deplacer`; what was said on the channel meanwhile is read."""
        self.table.deplacer(auditeur, canal)
        self._reveil.set()

    def retirer(self, auditeur: Auditeur) -> None:
        self.table.retirer(auditeur)

    def recevoir(self, message: dict[str, Any]) -> None:
        """Take a message of the layer, which each socket hears that is a member of its group: the first one counts."""
        # A frame from a process of an earlier version may lack a field that has a default.
        trame = Trame(**{champ: message[champ] for champ in Trame._fields if champ in message})
        if not self.table.recevoir(trame):
            self._reveil.set()

    async def _veiller(self) -> None:
        """One poll, at least each second while channels are open: read and deliver the events the layer missed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(INTERVALLE_VEILLE if self.table.ouvertures else None):
                await self._reveil.wait()
        self._reveil.clear()
        ouvertures = dict(self.table.ouvertures)
        if not ouvertures:
            return
        positions = {canal: ouverture.dernier for canal, ouverture in ouvertures.items()}
        try:
            suite = await _veille.en_fil(lire_suite, positions)
        except ErreurDeBase:
            communs.rendre()  # where the server admits no more connections, an idle one makes room
            raise
        self.table.appliquer(suite.trames, ouvertures, suite.jusque)
        if not suite.est_complete:
            self._reveil.set()

    async def arreter(self) -> None:
        for tache in self._taches:
            tache.cancel()
        await asyncio.gather(*self._taches, return_exceptions=True)


_courant: Processus | None = None


def processus_courant(portier: Portier = Portier()) -> Processus:  # noqa: B008 -- immutable
    """The `Processus` of the running loop, made with its first socket; `portier` counts only then."""
    global _courant
    if _courant is None or _courant.boucle is not asyncio.get_running_loop():
        demarrer_boucle(asyncio.get_running_loop())
        _courant = Processus(portier)
    return _courant


def demarrer_boucle(boucle: asyncio.AbstractEventLoop) -> None:
    """Tell the sender which loop serves sockets; called by the ASGI lifespan at startup."""
    fixer_boucle_serveur(boucle)


async def arreter() -> None:
    """End the poll, the membership, the sender and their connections; called by the ASGI lifespan at shutdown."""
    global _courant
    courant, _courant = _courant, None
    if courant is not None and courant.boucle is asyncio.get_running_loop():
        await courant.arreter()
    if (fermer := getattr(get_channel_layer(), "close", None)) is not None:
        await fermer()
    await asyncio.gather(
        asyncio.to_thread(arreter_expedition),
        asyncio.to_thread(_veille.vider, ARRET),
        asyncio.to_thread(communs.vider, ARRET),
    )
    fixer_boucle_serveur(None)
