"""WebSocket protocol of uvicorn for `serve`, with a timeout on clients that are slow to read their events."""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from socle.realtime.vocabulaire import EXTENSION, FERMETURE_REESSAYER

LENTEUR_SECONDES = 10.0


class Prises(WebSocketsSansIOProtocol):
    """WebSocket protocol that closes with 1013 after 10 s of a full send buffer, and aborts 10 s later.

    It offers the application `EXTENSION`, beside the `send` of ASGI.
    """

    _limite: asyncio.TimerHandle | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # the task of the application is made, and has not begun
            self.scope["extensions"][EXTENSION] = self.ecrire  # type: ignore[assignment]

    def ecrire(self, octets: bytes) -> bool:
        """Send these whole frames now; False where they would wait, or the socket is not open."""
        est_ouvert = self.handshake_complete and not self.close_sent and not self.transport.is_closing()
        if not est_ouvert or not self.writable.is_set():
            return False
        try:
            self.transport.write(octets)
        except (OSError, RuntimeError):  # lost this instant: the others of this event do not go without it
            return False
        return True

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
