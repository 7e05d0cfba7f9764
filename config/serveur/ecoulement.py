"""Sweep of the open connections: a write that does not move for 30 s ends its connection."""

import asyncio
import socket
import struct
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from socle.realtime.taches import sans_fin

SECONDES = 30.0
_TOURS = 6  # in that time
_TCP_INFO = getattr(socket, "TCP_INFO", None)  # Linux
_ACQUITTES, _ENTIER = 120, 8  # where `struct tcp_info` has tcpi_bytes_acked
_TCP = (socket.AF_INET, socket.AF_INET6)
_SANS_ATTENDRE = struct.pack("ii", 1, 0)


class _Arret(NamedTuple):
    acquittes: int
    depuis: float


class Ecoulement:
    """Sweep of the peers that read slowly: one is waited for as long as it takes a byte in `limite` seconds.

    Whatever waits counts: an answer, a file, the frames of a socket, the rest of a connection that is to be closed.
    """

    def __init__(self, connexions: Iterable[Any], *, limite: float = SECONDES) -> None:
        self._connexions = connexions
        self._limite = limite
        self._arrets: dict[asyncio.Transport, _Arret] = {}

    async def veiller(self) -> None:
        await sans_fin(self._pas, "Lenteur des lecteurs", pause_maximale=5)

    async def _pas(self) -> None:
        await asyncio.sleep(self._limite / _TOURS)
        self.passer(asyncio.get_running_loop().time())

    def passer(self, maintenant: float) -> None:
        """Look at each connection that has something to send, and cut those that have not moved for `limite`."""
        avant, self._arrets = self._arrets, {}
        for protocole in list(self._connexions):
            transport = protocole.transport
            if transport.get_write_buffer_size():
                self._juger(transport, avant.get(transport), maintenant)

    def _juger(self, transport: asyncio.Transport, arret: _Arret | None, maintenant: float) -> None:
        acquittes = acquis(transport)
        if arret is None or arret.acquittes != acquittes:
            self._arrets[transport] = _Arret(acquittes, maintenant)
        elif maintenant - arret.depuis < self._limite:
            self._arrets[transport] = arret
        else:
            couper(transport)


@asynccontextmanager
async def surveillees(connexions: Iterable[Any], *, limite: float = SECONDES) -> AsyncIterator[None]:
    """Sweep these connections during the block."""
    veille = asyncio.create_task(Ecoulement(connexions, limite=limite).veiller())
    try:
        yield
    finally:
        veille.cancel()


def acquis(transport: asyncio.Transport) -> int:
    """A number that changes as the peer takes bytes: those it has acknowledged, as its reading is behind our buffers.

    Where the system does not say, the size of our own buffer: it moves by leaps, as the kernel's empties.
    """
    prise = transport.get_extra_info("socket")
    if _TCP_INFO is None or prise is None or prise.family not in _TCP or prise.fileno() < 0:
        return transport.get_write_buffer_size()
    with socket.fromfd(prise.fileno(), prise.family, prise.type) as la_meme:
        dit = la_meme.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _ACQUITTES + _ENTIER)
    return int.from_bytes(dit[_ACQUITTES:], sys.byteorder)


def couper(transport: asyncio.Transport) -> None:
    """Reset the connection: what waits, in the kernel too, is dropped."""
    prise = transport.get_extra_info("socket")
    if prise is not None and prise.fileno() >= 0:
        with socket.fromfd(prise.fileno(), prise.family, prise.type) as la_meme:
            la_meme.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _SANS_ATTENDRE)
    transport.abort()
