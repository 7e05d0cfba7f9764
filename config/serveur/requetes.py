"""HTTP protocol of uvicorn for `serve`: bounds on slow, long and hurried clients; an answer leaves in one write."""

import asyncio
import select
from http.client import responses
from typing import Any
from urllib.parse import unquote

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from config.serveur import illisible

ENTETES_SECONDES = 20.0
# Longer than clients and proxies keep an idle connection (5 to 60 s): they close it, not we as they write to it again.
OISIVE_SECONDES = 75
DERNIERE_SECONDES = 1.0  # at the stop, for a first request that is on its way
ENTETES_OCTETS = 65_536  # of a request line with its headers, and of what comes between two pieces of a body
CORPS_OCTETS = 65_536  # of a body that the application has not taken yet: past it the connection is read no further
EN_FILE = 16  # requests of a connection that wait for the answer to an earlier one

_VERSIONS = ("1.0", "1.1")
_SANS_CORPS = (204, 304)
_LIGNES = {statut: f"HTTP/1.1 {statut} {responses.get(statut, '')}\r\n".encode() for statut in range(100, 600)}
_CONTROLES = bytes({*range(32), 127} - {ord("\t")})
_ILLISIBLE = "Invalid HTTP request received."


def _de_notre_fait(faute: HttpParserError) -> BaseException | None:
    """The error of a callback that is no judgement on the request."""
    cause = faute.__context__
    return None if cause is None or isinstance(cause, HttpParserError | UnicodeDecodeError) else cause


class Echange(RequestResponseCycle):
    """A request and its answer; the start of the answer is held back until its body is there."""

    _debut: Any = None

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start" and self._debut is None and not self.response_started:
            self._debut = message
            return
        debut, self._debut = self._debut, None
        if debut is not None:
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                if self.flow.write_paused and not self.disconnected:
                    await self.flow.drain()
                if not self.disconnected:
                    self._ecrire(debut, message.get("body", b""))
                return
            await super().send(debut)
        await super().send(message)

    async def send_500_response(self) -> None:
        self._debut = None
        await super().send_500_response()

    def partir(self) -> None:
        """Tell the application that the client is gone."""
        self.disconnected = True
        self.message_event.set()

    def _ecrire(self, debut: Any, corps: bytes) -> None:
        """Write a whole answer."""
        tete = self._tete(debut, len(corps))
        self.response_started = self.response_complete = True
        self.waiting_for_100_continue = False
        self.transport.writelines([tete] if self.scope["method"] == "HEAD" else [tete, corps])
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    def _tete(self, debut: Any, taille: int) -> bytes:
        """The status line and headers; RuntimeError for a header that would end early, or a length that is not true."""
        entetes = [*self.default_headers, *debut.get("headers", ())]
        valeurs = dict(entetes)
        annoncee = valeurs.get(b"content-length")
        if annoncee is None and debut["status"] not in _SANS_CORPS and self.scope["method"] != "HEAD":
            entetes.append((b"content-length", str(taille).encode()))
        elif int(annoncee or 0) != taille and self.scope["method"] != "HEAD":
            raise RuntimeError("Response content does not have its Content-Length.")
        if b"close" in valeurs.get(b"connection", b"").lower():
            self.keep_alive = False
        elif not self.keep_alive:
            entetes.append((b"connection", b"close"))
        bloc = b"\r\n".join([b": ".join(entete) for entete in entetes])
        if len(bloc) - len(bloc.translate(None, _CONTROLES)) != 2 * (len(entetes) - 1):
            raise RuntimeError("Invalid HTTP header.")
        return b"%b%b\r\n\r\n" % (_LIGNES[debut["status"]], bloc)


class Requetes(HttpToolsProtocol):
    """Adds bounds in time, bytes and number, and answers a fault in its turn.

    The parser reads at once all that has come: requests sent in advance (pipelining), and their faults too.
    """

    cycle: Echange
    _limite: asyncio.TimerHandle | None = None
    _en_main: Echange | None = None  # answered now; `cycle` is the latest that came
    _lecture = 0  # bytes of the read in hand
    _premiere = 0  # of the read in which the request began
    _suivants = 0  # of the later ones, until its headers are whole; then since the latest piece of its body
    _apres_les_entetes = False
    _prise = False  # the request asks for a socket
    _sourd = False  # nothing more is read
    _en_faute = False  # and 400 is due, after the answers to the requests before
    _arrete = False  # the process stops: a first request is the last

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._limiter()

    def connection_lost(self, exc: Exception | None) -> None:
        self._liberer()
        self._unset_keepalive_if_required()
        if self._en_main is not None and not self._en_main.response_complete:
            self._en_main.partir()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close once what is asked is answered; a connection without a request yet has a second to send its only one.

        A proxy connects, then sends: closed between the two, it could not know whether to send a POST again.
        """
        a_demande = self._en_main is not None and not (self._en_main.response_complete and self._est_a_lire())
        if a_demande or self._sourd:
            super().shutdown()
        else:
            self._arrete = True
            self.loop.call_later(DERNIERE_SECONDES, self._renoncer)

    def _renoncer(self) -> None:
        if self._en_main is None and not self._est_a_lire():
            self.transport.close()

    # --- What comes in --------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self._sourd:
            return
        self._lecture = len(data)
        self._suivants += self._lecture
        try:
            self._lire(data)
            if self._suivants > ENTETES_OCTETS:
                raise HttpParserError("too long")
        except HttpParserError as faute:
            if not self._sourd:
                self.logger.warning(_ILLISIBLE, exc_info=_de_notre_fait(faute))
                self._refuser()
        if self.cycle is not None and not self.cycle.response_complete:
            self._liberer()
        else:
            self._limiter()

    def _lire(self, data: bytes) -> None:
        while data:
            try:
                return self.parser.feed_data(data)
            except HttpParserUpgrade as fin:
                if self._prise:
                    return self.handle_websocket_upgrade()
                data = data[fin.args[0] :]  # any other protocol is not spoken here: HTTP goes on

    def handle_websocket_upgrade(self) -> None:
        self._liberer()
        if self._arrete:  # it opens again elsewhere
            return self.transport.close()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        self.url = b""
        self.headers = []
        self._premiere, self._suivants = self._lecture, 0
        self._apres_les_entetes = self._prise = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._apres_les_entetes:  # a trailer would pass for a header
            self.headers.append((name.lower(), value.rstrip(b" \t")))

    def on_headers_complete(self) -> None:
        self._apres_les_entetes = True
        version = self.parser.get_http_version()
        noms = [nom for nom, _valeur in self.headers]
        self._exiger_des_entetes(version, noms)
        self._suivants = 0
        methode = self.parser.get_method().decode("ascii")
        chemin, _separe, question = self.url.partition(b"?")
        self.scope = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": version,
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme or "http",
            "method": methode,
            "root_path": self.root_path,
            "path": self.root_path + unquote(chemin.decode("ascii")),
            "raw_path": self.root_path.encode("ascii") + chemin,
            "query_string": question,
            "headers": self.headers,
            "state": self.app_state.copy(),
        }
        self._prise = self._demande_une_prise()
        en_avance = self.cycle is not None and not self.cycle.response_complete
        if en_avance and (self._prise or len(self.pipeline) >= EN_FILE):
            self._sourd, self.cycle.keep_alive = True, False
            raise HttpParserError("too many in advance")
        if not self._prise:
            self._recevoir(b"expect" in noms, version != "1.0" and methode != "CONNECT", en_avance)

    def _demande_une_prise(self) -> bool:
        """True for the handshake of a socket, which is a GET with a key; any other request is answered as HTTP.

        HttpParserError for another protocol after a body, which httptools takes for a request.
        """
        if not self.parser.should_upgrade():
            return False
        entetes = dict(self.headers)
        est_une_poignee = self.parser.get_method() == b"GET" and b"sec-websocket-key" in entetes
        options = [option.strip() for option in entetes.get(b"connection", b"").lower().split(b",")]
        prise = est_une_poignee and b"upgrade" in options and entetes.get(b"upgrade", b"").lower() == b"websocket"
        if not prise and (b"content-length" in entetes or b"transfer-encoding" in entetes):
            raise HttpParserError("body before an upgrade")
        return prise

    def _exiger_des_entetes(self, version: str, noms: list[bytes]) -> None:
        """HttpParserError for what llhttp lets through: another version, no host or two, too many bytes."""
        hotes = noms.count(b"host")
        if version not in _VERSIONS or hotes > 1 or (not hotes and version != "1.0"):
            raise HttpParserError("version or host")
        if self._premiere + self._suivants > ENTETES_OCTETS:
            taille = len(self.url) + sum(len(nom) + len(valeur) + 4 for nom, valeur in self.headers)
            if taille > ENTETES_OCTETS:
                raise HttpParserError("too long")

    def _recevoir(self, a_expect: bool, garder: bool, en_avance: bool) -> None:
        attend = a_expect and (b"expect", b"100-continue") in [(nom, v.lower()) for nom, v in self.headers]
        self.cycle = Echange(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=attend,
            keep_alive=garder and not self._arrete and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if en_avance:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))
        else:
            self._start_asgi_task(self.cycle, self.app)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._en_main = cycle
        super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        self._suivants = 0
        if self._prise or self.cycle.response_complete:
            return
        self.cycle.body += body
        if len(self.cycle.body) > CORPS_OCTETS:
            self.flow.pause_reading()
        self.cycle.message_event.set()

    def on_message_complete(self) -> None:
        if not self._prise:
            self.cycle.more_body = False
            self.cycle.message_event.set()

    # --- Faults ---------------------------------------------------------------------------------------------------

    def _refuser(self) -> None:
        """Read nothing more, and answer 400 once the requests before are answered."""
        self._sourd = True
        dernier = self.cycle
        if dernier is not None and dernier.more_body:  # the fault is in its body
            self._refuser_le_corps(dernier)
        elif dernier is None or dernier.response_complete:
            self.send_400_response(_ILLISIBLE)
        else:
            self._en_faute = True

    def _refuser_le_corps(self, dernier: Echange) -> None:
        if dernier is not self._en_main:
            self.pipeline.popleft()
            self._en_faute = True
        elif dernier.response_started:
            self.transport.close()
        else:
            dernier.partir()
            self.send_400_response(_ILLISIBLE)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        fini = self._en_main is None or self._en_main.response_complete
        if self._en_faute and fini and not self.transport.is_closing():
            self.send_400_response(_ILLISIBLE)

    def send_400_response(self, msg: str) -> None:
        """Answer in the error envelope, as the application would."""
        self.transport.write(illisible.reponse(self.server_state.default_headers))
        self.transport.close()

    # --- Time -----------------------------------------------------------------------------------------------------

    def _limiter(self) -> None:
        """Start the timer, unless it runs: a byte from time to time does not restart it."""
        if self._limite is None and self.transport.get_protocol() is self:
            self._limite = self.loop.call_later(ENTETES_SECONDES, self._fermer)

    def _fermer(self) -> None:
        self._limite = None
        # Headers that come in pieces are late all the same: only a first piece is waited for.
        if self._suivants or not self._est_a_lire():
            self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        if not self._est_a_lire():
            super().timeout_keep_alive_handler()

    def _est_a_lire(self) -> bool:
        """True where bytes have come in time: uvloop runs a timer that is due before it reads."""
        if self.transport.is_closing():
            return False
        arrivee = select.poll()
        arrivee.register(self.transport.get_extra_info("socket"), select.POLLIN)
        return bool(arrivee.poll(0))

    def _liberer(self) -> None:
        if self._limite is not None:
            self._limite.cancel()
            self._limite = None
