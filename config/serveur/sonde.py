"""ASGI middleware that answers `/health` and `/health/live` from the server's loop, even while every thread hangs."""

import asyncio
from collections.abc import Callable
from typing import Any

from config.serveur.corps import Appel
from config.serveur.pont import Environ, Reponse, envoyer
from socle.api.sondes import ETATS, sonder
from socle.moteur.executeur import Executeur

FRAICHEUR = 1.0  # seconds for which the states are cached: however many ask, one probe runs


class Sonde:
    def __init__(self, suite: Appel, repondre: Callable[[Any, Environ], Reponse]) -> None:
        self._suite = suite
        self._repondre = repondre
        self._fil = Executeur(1, "sante")
        self._tache: asyncio.Task[dict[str, str]] | None = None
        self._finie = 0.0

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        chemin = scope["path"].rstrip("/")
        if chemin == "/health":
            await envoyer(self._repondre(scope, {ETATS: await self._etats()}), send)
        elif chemin == "/health/live":
            await envoyer(self._repondre(scope, {}), send)
        else:
            await self._suite(scope, receive, send)

    async def _etats(self) -> dict[str, str]:
        boucle = asyncio.get_running_loop()
        tache = self._tache
        if (
            tache is None
            or tache.get_loop() is not boucle
            or (tache.done() and boucle.time() - self._finie > FRAICHEUR)
        ):
            self._tache = tache = boucle.create_task(self._sonder())
        return await asyncio.shield(tache)

    async def _sonder(self) -> dict[str, str]:
        boucle = asyncio.get_running_loop()
        etats = await boucle.run_in_executor(self._fil, sonder)
        self._finie = boucle.time()
        return etats
