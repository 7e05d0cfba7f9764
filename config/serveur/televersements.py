"""Uploads: admitted by credentials, buffered on disk, and processed few at a time (semaphore and lock by actor)."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import Any

from django.conf import settings

from config.serveur.allures import ENVOI, Places
from config.serveur.corps import Appel, CorpsRecu
from socle.api.middleware import ENTETES_RECUS, refuser_trop_grand
from socle.domaine.disque import exiger_du_disque
from socle.domaine.envois import envoi_max
from socle.erreurs import ErreurMetier, ServiceIndisponible, TropDeRequetes
from socle.moteur.delais import REPONSE_SECONDES
from socle.moteur.executeur import communs

PAR_ACTEUR = 4  # received at a time
TRAITES = 2  # cleaned at a time: the other threads of HTTP stay for everybody


class Televersements:
    """ASGI middleware: uploads of an admitted actor go to `suite`, other requests to `autre`, which keeps nothing."""

    def __init__(self, suite: Appel, autre: Appel, *, qui: Callable[[Mapping[str, Any]], str | None]) -> None:
        self.suite = suite
        self.autre = autre
        self._qui = qui
        self._en_cours: Counter[str] = Counter()
        self._lents = Places()
        self._places = asyncio.Semaphore(TRAITES)
        # A lock by actor: nobody waits behind the slow files of a single person.
        self._tours: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        limite = _limite(scope)
        if limite is not None:
            scope = {**scope, ENTETES_RECUS: time.time()}
        acteur = await communs.en_fil(self._qui, scope) if limite else None
        if limite is None or acteur is None:
            await self.autre(scope, receive, send)
        elif self._en_cours[acteur] >= PAR_ACTEUR:
            raise TropDeRequetes(attente=5)
        else:
            with self._compte(acteur):
                await self._recevoir(acteur, limite, scope, receive, send)

    async def _recevoir(self, acteur: str, limite: int, scope: Any, receive: Appel, send: Appel) -> None:
        exiger_du_disque(octets=limite)
        recu = CorpsRecu(
            partial(self._traiter, acteur),
            limite=limite,
            allure=ENVOI,
            places=self._lents,
            qui=lambda _scope: acteur,
            sur_disque=True,
        )
        await recu(scope, receive, send)

    async def _traiter(self, acteur: str, scope: Any, receive: Appel, send: Appel) -> None:
        async with AsyncExitStack() as places:
            try:
                async with asyncio.timeout(REPONSE_SECONDES):
                    await places.enter_async_context(self._tours[acteur])
                    await places.enter_async_context(self._places)
            except TimeoutError as trop_tard:
                raise ServiceIndisponible(attente=10) from trop_tard
            await self.suite(scope, receive, send)

    @contextmanager
    def _compte(self, acteur: str) -> Iterator[None]:
        self._en_cours[acteur] += 1
        try:
            yield
        finally:
            self._en_cours[acteur] -= 1
            if not self._en_cours[acteur]:
                del self._en_cours[acteur]
                self._tours.pop(acteur, None)


def _limite(scope: Any) -> int | None:
    """The most bytes that the body may have; None for no upload, or one whose Content-Length is too large."""
    envoi = envoi_max(scope["path"])
    if envoi is None or scope["method"] != "POST":
        return None
    declaree = next((valeur for nom, valeur in scope["headers"] if nom == b"content-length"), b"0")
    try:
        refuser_trop_grand(scope["path"], int(declaree))
    except (ErreurMetier, ValueError):
        return None
    return envoi + settings.JSON_MAX_OCTETS
