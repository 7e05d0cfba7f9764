"""The channel layer: each socket is a member of its groups here, the process one member towards the layer it wraps.

A socket that hands a callable hears as a process does, each message once, as it came; another waits for its own, as
with any layer. Around Channels' own in memory for one process, around `channels_redis` for several (`couche_redis`).
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

from channels.layers import InMemoryChannelLayer

from socle.realtime.adhesion import Adhesion

Message = dict[str, Any]
Appel = Callable[[Message], None]
GROUPE = "groupe"  # in a message: the group that it was sent to, which no layer says
FILE_MAXIMALE = 100  # messages that wait for a member without a callable; the next are dropped, as Channels drops them
DELAI_ENVOI = 0.3  # seconds, of a layer that does not answer


class Presence:
    """The members of one loop: who is in which group, and how each hears."""

    def __init__(self, dessous: Any) -> None:
        self.boucle = asyncio.get_running_loop()
        self.groupes: dict[str, set[str]] = {}
        self.appels: dict[str, Appel] = {}
        self.files: dict[str, asyncio.Queue[Message]] = {}
        self.adhesion = Adhesion(dessous, self.groupes, self.remettre)
        self._tache = asyncio.create_task(self.adhesion.tenir())

    def remettre(self, message: Message) -> None:
        """Hand a message to the members of its group: to a callable that several share, once."""
        prevenus = set()
        for membre in self.groupes.get(message.pop(GROUPE, ""), ()):
            if (appel := self.appels.get(membre)) is None:
                with suppress(asyncio.QueueFull):
                    self.file(membre).put_nowait(dict(message))
            elif appel not in prevenus:
                prevenus.add(appel)
                appel(message)

    def file(self, membre: str) -> "asyncio.Queue[Message]":
        return self.files.setdefault(membre, asyncio.Queue(FILE_MAXIMALE))

    async def finir(self) -> None:
        self._tache.cancel()
        with suppress(asyncio.CancelledError):
            await self._tache


class CoucheCommune:
    """A channel layer of Channels', around another; `entendre` is what it adds."""

    extensions = ("groups", "flush")

    def __init__(self, dessous: Any) -> None:
        self.dessous = dessous
        self._presence: Presence | None = None

    @property
    def presence(self) -> Presence:
        """Presence of the running loop."""
        if self._presence is None or self._presence.boucle is not asyncio.get_running_loop():
            self._presence = Presence(self.dessous)
        return self._presence

    async def new_channel(self, prefix: str = "specific.") -> str:
        return f"{prefix}{uuid4().hex}"

    def entendre(self, channel: str, appel: Appel) -> None:
        """Call this with each message to a group of this member, in the loop, instead of keeping it for `receive`."""
        self.presence.appels[channel] = appel

    async def receive(self, channel: str) -> Message:
        return await self.presence.file(channel).get()

    async def send(self, channel: str, message: Message) -> None:
        """To a member of this process: no other is known by its name."""
        with suppress(asyncio.QueueFull):
            self.presence.file(channel).put_nowait(message)

    async def group_add(self, group: str, channel: str) -> None:
        """Join; one that hands a callable does not wait for a layer that is away, and has other ways to hear."""
        presence = self.presence
        presence.groupes.setdefault(group, set()).add(channel)
        presence.adhesion.ajuster()
        if channel not in presence.appels:
            await presence.adhesion.est_jointe(group)

    async def group_discard(self, group: str, channel: str) -> None:
        presence = self.presence
        if membres := presence.groupes.get(group):
            membres.discard(channel)
            if not membres:
                del presence.groupes[group]
                presence.adhesion.ajuster()

    def oublier(self, channel: str) -> None:
        """Drop all that is kept of a member that has left its groups."""
        self.presence.appels.pop(channel, None)
        self.presence.files.pop(channel, None)

    async def group_send(self, group: str, message: Message) -> None:
        await self.dessous.group_send(group, {**message, GROUPE: group})

    async def flush(self) -> None:
        await self.close()
        await self.dessous.flush()

    async def close(self) -> None:
        """Leave every group; who joins later begins anew."""
        presence, self._presence = self._presence, None
        if presence is not None and presence.boucle is asyncio.get_running_loop():
            await presence.finir()


class CoucheEnMemoire(CoucheCommune):
    """For one process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(InMemoryChannelLayer(**options))
