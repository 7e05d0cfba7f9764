"""WebSocket protocol of uvicorn for `serve`, with a timeout on clients that are slow to read their events."""

import asyncio
from functools import partial
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from config.serveur import illisible
from config.serveur.ecoulement import acquis, couper
from socle.realtime.vocabulaire import EXTENSION, FERMETURE_REESSAYER

LENTEUR_SECONDES = 10.0
FERMETURE_PAS_UTF_8 = 1007


def _est_en_utf_8(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


class Prises(WebSocketsSansIOProtocol):
    """WebSocket protocol that closes with 1013 after 10 s of a full send buffer that does not move, then aborts.

    It offers the application `EXTENSION`, beside the `send` of ASGI.
    """

    _limite: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Answer 400 to a handshake that cannot be parsed (a line over 8 KiB, a body): uvicorn would answer nothing."""
        super().data_received(data)
        if not self.handshake_initiated and self.conn.close_expected() and not self.transport.is_closing():
            self.transport.write(illisible.reponse(self.default_headers))
            self.transport.close()

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

    def send_receive_event_to_app(self) -> None:
        """Close with 1007 a text that is not UTF-8; uvicorn would log it, with its trace, as an error of ours."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _est_en_utf_8(b"".join(self.frames)):
            self.frames = []
            if self.conn.state is State.OPEN:  # what came with it may have closed the socket already
                self.conn.send_close(FERMETURE_PAS_UTF_8)
                self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._guetter()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._desarmer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._desarmer()
        super().connection_lost(exc)

    def _guetter(self) -> None:
        self._armer(partial(self._juger, acquis(self.transport)))

    def _juger(self, acquittes: int) -> None:
        if acquis(self.transport) == acquittes:
            self._renvoyer()
        else:
            self._guetter()

    def _renvoyer(self) -> None:
        self.stop_keepalive()
        if not self.close_sent:
            self.conn.send_close(FERMETURE_REESSAYER)
            self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self._armer(partial(couper, self.transport))

    def _armer(self, ensuite: Any) -> None:
        self._desarmer()
        self._limite = self.loop.call_later(LENTEUR_SECONDES, ensuite)

    def _desarmer(self) -> None:
        if self._limite is not None:
            self._limite.cancel()
            self._limite = None
