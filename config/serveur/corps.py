"""Buffering of request bodies in the server's loop, before a thread is taken: a slow client holds none."""

import asyncio
import io
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import IO, Any

from config.serveur.allures import TEXTE, Allure, Places, Reception
from socle.erreurs import EnvoiTropLent, RequeteMalformee, ServiceIndisponible

Appel = Callable[..., Awaitable[Any]]
# Of a body that is refused: a film of a phone, and what a good line carries of it in that time.
JETES_OCTETS = 256 * 1024 * 1024
JETES_SECONDES = 30.0
LONGUEURS = (b"content-length", b"transfer-encoding")


def adresse_de(scope: Any) -> str:
    """Of the connection; behind a proxy the assembly knows better."""
    return str((scope.get("client") or ("",))[0])


async def jeter(receive: Appel) -> None:
    """Read and drop the rest of a body, within bounds: who is cut while sending, as a proxy, reads no answer."""
    reste, suite = JETES_OCTETS, True
    with suppress(TimeoutError):
        async with asyncio.timeout(JETES_SECONDES):
            while suite and reste > 0:
                message = await receive()
                suite = message.get("more_body", False)
                reste -= len(message.get("body", b""))


class CorpsRecu:
    """ASGI middleware that buffers the body and passes it on as `scope["corps"]`, an open file.

    Past `limite` bytes nothing more is kept, though some is read: the reader of the body sees that it is too large.
    `qui` names whom a slow body is counted for.
    """

    def __init__(
        self,
        suite: Appel,
        *,
        limite: int,
        allure: Allure = TEXTE,
        places: Places | None = None,
        qui: Callable[[Any], str] = adresse_de,
        sur_disque: bool = False,
    ) -> None:
        self.suite = suite
        self.limite = limite
        self.allure = allure
        self.places = places or Places()
        self.qui = qui
        self.sur_disque = sur_disque

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        if sans_corps(scope):
            await self.suite(scope, receive, send)
        else:
            await self._avec_un_corps(scope, receive, send)

    async def _avec_un_corps(self, scope: Any, receive: Appel, send: Appel) -> None:
        # A server may add the trailers that follow the body: they would pass for headers.
        scope = {**scope, "headers": [*scope["headers"]]}
        with ExitStack() as pile:
            try:
                corps = pile.enter_context(_sur_disque() if self.sur_disque else io.BytesIO())
                allure = pile.enter_context(Reception(self.allure, self.places, partial(self.qui, scope)).en_cours())
                recu = await self._recevoir(receive, corps, allure)
            except TimeoutError as trop_tard:
                refus = EnvoiTropLent()
                if isinstance(corps, io.BytesIO):
                    refus.recu = corps.getvalue()
                raise refus from trop_tard
            except OSError as panne:
                raise ServiceIndisponible(attente=60) from panne
            if recu is not None:
                await self.suite({**_avec_longueur(scope, *recu), "corps": corps}, receive, send)

    async def _recevoir(self, receive: Appel, corps: IO[bytes], allure: Reception) -> tuple[int, bool] | None:
        """Receive into `corps`; return the bytes received and whether they are all, None if the client left.

        When the disk fails the rest is still read: a client that is cut while sending does not read the answer.
        """
        total, suite, panne = 0, True, None
        while suite and total <= self.limite:
            async with allure.attendre():
                message = await receive()
            if message["type"] == "http.disconnect":
                return None
            morceau = message.get("body", b"")
            allure.recu(len(morceau))
            total += len(morceau)
            suite = message.get("more_body", False)
            if panne is None:
                panne = await self._ecrire(corps, morceau, fini=not suite)
        if suite:
            await jeter(receive)
        if panne is not None:
            raise panne
        corps.seek(0)
        return total, not suite

    async def _ecrire(self, corps: IO[bytes], morceau: bytes, *, fini: bool) -> OSError | None:
        """Write a piece, in a thread if to disk, flushing after the last; return the OSError, None without one."""
        if not self.sur_disque:
            corps.write(morceau)
            return None
        try:
            await asyncio.to_thread(corps.write, morceau)
            if fini:
                await asyncio.to_thread(corps.flush)
        except OSError as panne:
            return panne
        return None


@contextmanager
def _sur_disque() -> Iterator[IO[bytes]]:
    corps = tempfile.TemporaryFile()  # noqa: SIM115 -- closed below, whatever the disk says of it
    try:
        yield corps
    finally:
        with suppress(OSError):  # the request that a full disk did not take is refused already
            corps.close()


def _avec_longueur(scope: Any, taille: int, est_entier: bool) -> Any:
    """Set Content-Length to the size received, instead of a chunked encoding.

    Of a body that was cut short at the limit, a length that was declared says so itself; another is that of its part,
    which is past the limit too.
    """
    declaree = any(nom == b"content-length" for nom, _ in scope["headers"])
    if not taille or (declaree and not est_entier):
        return scope
    autres = [(nom, v) for nom, v in scope["headers"] if nom not in LONGUEURS]
    return {**scope, "headers": [*autres, (b"content-length", str(taille).encode())]}


def exiger_une_longueur(scope: Any) -> None:
    """RequeteMalformee for two lengths, a length and chunks, or a coding: a proxy may have read another body."""
    dites = [(nom, valeur) for nom, valeur in scope["headers"] if nom in LONGUEURS]
    if not dites:
        return
    nom, valeur = dites[0]
    if len(dites) > 1 or not (valeur.isdigit() if nom == b"content-length" else valeur.lower() == b"chunked"):
        raise RequeteMalformee


def sans_corps(scope: Any) -> bool:
    """True where HTTP/1 says that there is no body: nothing is to be received."""
    dites = [valeur for nom, valeur in scope["headers"] if nom in LONGUEURS]
    return (not dites or dites == [b"0"]) and scope.get("http_version", "").startswith("1.")
