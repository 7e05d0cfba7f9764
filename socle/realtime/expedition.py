"""The sender: one thread per process that carries numbered events to the channel layer, once, and never insists."""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.conf import settings
from django.db import close_old_connections, connections

from socle.metriques import events_late_total
from socle.moteur.delais import REQUETE_SECONDES, echeance
from socle.moteur.executeur import OISIF_SECONDES
from socle.realtime.canaux import groupe
from socle.realtime.couche import DELAI_ENVOI, CoucheEnMemoire
from socle.realtime.enveloppe import Trame
from socle.realtime.models import Evenement

journal = logging.getLogger(__name__)

REPOS_APRES_ECHEC = 1.0
LOT = 100
NOM_DU_FIL = "diffusion"
EN_ATTENTE = 5_000  # events past it are delivered by the polls
# Least time from one look at the outbox to the next, for each event that the last one found: the first of a quiet
# moment leaves at once, and what many write together is numbered and sent together.
PAS = 0.02
PAS_MAX = 0.05

_boucle_serveur: asyncio.AbstractEventLoop | None = None


def fixer_boucle_serveur(boucle: asyncio.AbstractEventLoop | None) -> None:
    global _boucle_serveur
    _boucle_serveur = boucle


def _message(trame: Trame) -> tuple[str, dict[str, Any]]:
    """The group that is told of a frame, and what it is told."""
    return groupe(trame.canal), {"type": "evenement", **trame._asdict()}


async def _envoyer(couche: Any, trames: list[Trame]) -> None:
    for trame in trames:
        await couche.group_send(*_message(trame))


def _en_retard(cause: str, nombre: int) -> None:
    """Count the events that the polls must deliver instead."""
    if nombre > 0:
        events_late_total.labels(cause).inc(nombre)


class Expediteur:
    def __init__(self, numeroter: Callable[[], object]) -> None:
        self._numeroter = numeroter
        self._file: deque[Evenement] = deque(maxlen=EN_ATTENTE)
        self._reveil = threading.Event()
        self._arret = threading.Event()
        self._reprise = 0.0
        self._prochain = 0.0
        self._fil: threading.Thread | None = None
        self._verrou = threading.Lock()

    def deposer(self, evenements: Collection[Evenement]) -> None:
        """Take events that were just numbered; each must carry `precedent`."""
        if settings.DIFFUSION_ACTIVE:
            _en_retard("debordement", len(self._file) + len(evenements) - EN_ATTENTE)
            self._file.extend(evenements)
            if threading.current_thread().name != NOM_DU_FIL:
                self.reveiller()

    def reveiller(self) -> None:
        if not settings.DIFFUSION_ACTIVE:
            return
        self._reveil.set()
        with self._verrou:
            if self._fil is None or not self._fil.is_alive():
                self._arret = threading.Event()
                self._fil = threading.Thread(target=self._tourner, args=[self._arret], name=NOM_DU_FIL, daemon=True)
                self._fil.start()

    def arreter(self) -> None:
        """Stop the thread; the next event starts another."""
        with self._verrou:
            fil, self._fil = self._fil, None
            self._arret.set()
        self._reveil.set()
        if fil is not None:
            fil.join(timeout=1.5)
        self._file.clear()
        self._reprise = 0.0

    def _tourner(self, arret: threading.Event) -> None:
        try:
            while True:
                if not self._reveil.wait(OISIF_SECONDES):
                    connections.close_all()
                    self._reveil.wait()
                if arret.wait(max(self._prochain - time.monotonic(), 0)):
                    return
                self._reveil.clear()
                debut = time.monotonic()
                self._numeroter_sans_echec()
                self._prochain = debut + min(PAS * max(len(self._file), 1), PAS_MAX)
                self._vider()
        finally:
            connections.close_all()

    def _numeroter_sans_echec(self) -> None:
        try:
            close_old_connections()
            with echeance(REQUETE_SECONDES):
                self._numeroter()
        except Exception as erreur:  # the rows wait, and the next poll of any process numbers them
            journal.warning("Numérotation des événements remise à plus tard (%s).", type(erreur).__name__)
        finally:
            close_old_connections()

    def _vider(self) -> None:
        """Send the queue in batches; for one second after a failure it is dropped, and left to the polls."""
        while self._file:
            lot = [self._file.popleft() for _ in range(min(LOT, len(self._file)))]
            if time.monotonic() < self._reprise:
                _en_retard("pause", len(lot))
                continue
            try:
                self._envoyer_un_lot(lot)
            except Exception as erreur:
                self._reprise = time.monotonic() + REPOS_APRES_ECHEC
                _en_retard("echec", len(lot))
                journal.warning("Couche de diffusion injoignable (%s) : livraison différée.", type(erreur).__name__)

    @staticmethod
    def _envoyer_un_lot(lot: list[Evenement]) -> None:
        couche: Any = get_channel_layer()
        if couche is None:
            return
        trames = [Trame.de(evenement, getattr(evenement, "precedent", None) or 0) for evenement in lot]
        if hasattr(couche, "publier"):
            couche.publier([_message(trame) for trame in trames])
        elif not isinstance(couche, CoucheEnMemoire | InMemoryChannelLayer):
            asyncio.run(asyncio.wait_for(_envoyer(couche, trames), DELAI_ENVOI))
        elif _boucle_serveur is not None and _boucle_serveur.is_running():
            # The in-memory layer does not wake across threads: only the server's own loop can speak to it.
            asyncio.run_coroutine_threadsafe(_envoyer(couche, trames), _boucle_serveur).result(DELAI_ENVOI)
