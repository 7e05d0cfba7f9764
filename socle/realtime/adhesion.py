"""The one channel of this process in a channel layer, and the groups it is a member of."""

import asyncio
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from typing import Any, Protocol
from uuid import uuid4

from socle.realtime.taches import sans_fin

DELAI = 2.0
RAPPEL = 3600.0  # the in-memory layer forgets a member after a day


class Groupes(Iterable[str], Container[str], Protocol):
    """The groups that this process has members in."""


class Adhesion:
    """Background task that keeps the memberships in a layer equal to `voulus`; a layer away delays nobody."""

    def __init__(self, couche: Any, voulus: Groupes, recevoir: Callable[[dict[str, Any]], None]) -> None:
        self._couche = couche
        self._voulus = voulus
        self._recevoir = recevoir
        self._reveil = asyncio.Event()
        self._change = asyncio.Condition()
        self.joints: set[str] = set()
        self._nom = ""
        self._ecoute: asyncio.Task[None] | None = None

    def ajuster(self) -> None:
        """Wake the task: the groups have changed."""
        self._reveil.set()

    async def est_jointe(self, groupe: str) -> None:
        """Wait until this group is joined."""
        async with self._change:
            await self._change.wait_for(lambda: groupe in self.joints)

    async def tenir(self) -> None:
        try:
            await sans_fin(self._suivre, "Couche de diffusion injoignable", pause_maximale=15)
        finally:
            await self._quitter()

    async def _suivre(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(RAPPEL):
                await self._reveil.wait()
        deja = self.joints if self._reveil.is_set() else set()
        self._reveil.clear()
        try:
            await self._rejoindre(deja)
        except BaseException:
            self._reveil.set()
            raise
        finally:
            async with self._change:
                self._change.notify_all()

    async def _rejoindre(self, deja: set[str]) -> None:
        if not self._nom:
            async with asyncio.timeout(DELAI):
                self._nom = await self._couche.new_channel()
            self._ecoute = asyncio.create_task(self._ecouter(self._nom), name=f"ecoute-{uuid4().hex[:8]}")
        for groupe in set(self._voulus) - deja:
            await self._joindre(groupe)
            self.joints.add(groupe)
        for groupe in self.joints - set(self._voulus):
            async with asyncio.timeout(DELAI):
                await self._couche.group_discard(groupe, self._nom)
            self.joints.discard(groupe)

    async def _joindre(self, groupe: str) -> None:
        try:
            async with asyncio.timeout(DELAI):
                await self._couche.group_add(groupe, self._nom)
        except RuntimeError as oubliee:
            # channels_redis has lost its connection, and this name with it: another one joins every group again.
            await self._quitter()
            self._nom, self.joints = "", set()
            raise ConnectionResetError("forgotten by the layer") from oubliee

    async def _ecouter(self, nom: str) -> None:
        async def un_message() -> None:
            self._recevoir(await self._couche.receive(nom))

        await sans_fin(un_message, "Réception de la couche de diffusion", pause_maximale=2)

    async def _quitter(self) -> None:
        if self._ecoute is not None:
            self._ecoute.cancel()
            await asyncio.wait([self._ecoute], timeout=DELAI)
            self._ecoute = None
