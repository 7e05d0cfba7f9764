"""Protocol classes of uvicorn for `serve`, with timeouts on slow clients: before a request, and as events are sent."""

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
        """Start the timer, unless it runs: a byte from time to time does not restart it."""
        if self._limite is None and self.transport.get_protocol() is self:
            self._limite = self.loop.call_later(ENTETES_SECONDES, self.transport.close)

    def _liberer(self) -> None:
        if self._limite is not None:
            self._limite.cancel()
            self._limite = None


class Prises(WebSocketsSansIOProtocol):
    """WebSocket protocol that closes with 1013 after 10 s of a full send buffer, and aborts 10 s later."""

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
