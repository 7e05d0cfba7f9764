"""The one channel of this process in the channel layer, and the groups it is a member of."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

from channels.layers import get_channel_layer

from socle.realtime.canaux import groupe
from socle.realtime.enveloppe import Trame
from socle.realtime.taches import sans_fin

DELAI = 2.0
RAPPEL = 3600.0  # the in-memory layer forgets a member after a day


class Adhesion:
    """Background task that keeps the group memberships equal to the open channels; a layer away delays nobody."""

    def __init__(self, voulus: Callable[[], set[str]], recevoir: Callable[[Trame], None]) -> None:
        self._voulus = voulus
        self._recevoir = recevoir
        self._reveil = asyncio.Event()
        self._joints: set[str] = set()
        self._nom = ""
        self._ecoute: asyncio.Task[None] | None = None

    def ajuster(self) -> None:
        """Wake the task: the open channels have changed."""
        self._reveil.set()

    async def tenir(self) -> None:
        try:
            await sans_fin(self._suivre, "Couche de diffusion injoignable", pause_maximale=15)
        finally:
            await self._quitter()

    async def _suivre(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(RAPPEL):
                await self._reveil.wait()
        deja = self._joints if self._reveil.is_set() else set()
        self._reveil.clear()
        try:
            await self._rejoindre(deja)
        except BaseException:
            self._reveil.set()
            raise

    async def _rejoindre(self, deja: set[str]) -> None:
        couche = get_channel_layer()
        if couche is None:
            return
        if not self._nom:
            async with asyncio.timeout(DELAI):
                self._nom = await couche.new_channel()
            self._ecoute = asyncio.create_task(self._ecouter(couche), name=f"ecoute-{uuid4().hex[:8]}")
        for canal in self._voulus() - deja:
            async with asyncio.timeout(DELAI):
                await couche.group_add(groupe(canal), self._nom)
            self._joints.add(canal)
        for canal in self._joints - self._voulus():
            async with asyncio.timeout(DELAI):
                await couche.group_discard(groupe(canal), self._nom)
            self._joints.discard(canal)

    async def _ecouter(self, couche: Any) -> None:
        async def une_trame() -> None:
            message = await couche.receive(self._nom)
            # A frame from a process of an earlier version may lack a field that has a default.
            self._recevoir(Trame(**{champ: message[champ] for champ in Trame._fields if champ in message}))

        await sans_fin(une_trame, "Réception de la couche de diffusion", pause_maximale=2)

    async def _quitter(self) -> None:
        if self._ecoute is not None:
            self._ecoute.cancel()
            await asyncio.wait([self._ecoute], timeout=DELAI)
