"""What `serve` adds to uvicorn: a client that stalls is cut, before its request or while it is sent events."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from socle.realtime.vocabulaire import FERMETURE_REESSAYER

ENTETES_SECONDES = 20.0
LENTEUR_SECONDES = 10.0


class Requetes(H11Protocol):
    """Closes a connection whose request line and headers are not whole in time."""

    _limite: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._limiter()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._liberer()
        else:
            self._limiter()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._liberer()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._liberer()
        super().connection_lost(exc)

    def _limiter(self) -> None:
        """From the first byte: who sends one from time to time wins nothing."""
        if self._limite is None and self.transport.get_protocol() is self:
            self._limite = self.loop.call_later(ENTETES_SECONDES, self.transport.close)

    def _liberer(self) -> None:
        if self._limite is not None:
            self._limite.cancel()
            self._limite = None


class Prises(WebSocketsSansIOProtocol):
    """Closes with 1013 a socket that does not read what it is sent, and cuts it where it does not read that either."""

    _limite: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._armer(self._renvoyer)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._desarmer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._desarmer()
        super().connection_lost(exc)

    def _renvoyer(self) -> None:
        self.stop_keepalive()
        if not self.close_sent:
            self.conn.send_close(FERMETURE_REESSAYER)
            self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self._armer(self.transport.abort)

    def _armer(self, ensuite: Any) -> None:
        self._desarmer()
        self._limite = self.loop.call_later(LENTEUR_SECONDES, ensuite)

    def _desarmer(self) -> None:
        if self._limite is not None:
            self._limite.cancel()
            self._limite = None
