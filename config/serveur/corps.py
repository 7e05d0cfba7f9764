"""Buffering of request bodies in the server's loop, before a thread is taken: a slow client holds none."""

import asyncio
import io
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, Any

from socle.domaine.erreurs import RequeteMalformee, ServiceIndisponible

Appel = Callable[..., Awaitable[Any]]
SECONDES = 30.0
_LONGUEURS = (b"content-length", b"transfer-encoding")


class CorpsRecu:
    """ASGI middleware that buffers the body and passes it on as `scope["corps"]`, an open file.

    Past `limite` bytes nothing more is read: the reader of the body sees that it is too large.
    """

    def __init__(self, suite: Appel, *, limite: int, delai: float = SECONDES, sur_disque: bool = False) -> None:
        self.suite = suite
        self.limite = limite
        self.delai = delai
        self.sur_disque = sur_disque

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        if _sans_corps(scope):
            await self.suite(scope, receive, send)
        else:
            await self._avec_un_corps(scope, receive, send)

    async def _avec_un_corps(self, scope: Any, receive: Appel, send: Appel) -> None:
        # A server may add the trailers that follow the body: they would pass for headers.
        scope = {**scope, "headers": [*scope["headers"]]}
        with ExitStack() as pile:
            try:
                corps = pile.enter_context(_sur_disque() if self.sur_disque else io.BytesIO())
                async with asyncio.timeout(self.delai):
                    recu = await self._recevoir(receive, corps)
            except TimeoutError as trop_tard:
                raise RequeteMalformee from trop_tard
            except OSError as panne:
                raise ServiceIndisponible(attente=60) from panne
            if recu is not None:
                await self.suite({**_avec_longueur(scope, *recu), "corps": corps}, receive, send)

    async def _recevoir(self, receive: Appel, corps: IO[bytes]) -> tuple[int, bool] | None:
        """Receive into `corps`; return the bytes received and whether they are all, None if the client left.

        When the disk fails the rest is still read: a client that is cut while sending does not read the answer.
        """
        total, suite, panne = 0, True, None
        while suite and total <= self.limite:
            message = await (_sans_silence(receive) if self.delai > SECONDES else receive())
            if message["type"] == "http.disconnect":
                return None
            morceau = message.get("body", b"")
            total += len(morceau)
            suite = message.get("more_body", False)
            if panne is None:
                panne = await self._ecrire(corps, morceau, fini=not suite)
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


async def _sans_silence(receive: Appel) -> Any:
    async with asyncio.timeout(SECONDES):
        return await receive()


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
    autres = [(nom, v) for nom, v in scope["headers"] if nom not in _LONGUEURS]
    return {**scope, "headers": [*autres, (b"content-length", str(taille).encode())]}


def exiger_une_longueur(scope: Any) -> None:
    """RequeteMalformee for two lengths, a length and chunks, or a coding: a proxy may have read another body."""
    dites = [(nom, valeur) for nom, valeur in scope["headers"] if nom in _LONGUEURS]
    if not dites:
        return
    nom, valeur = dites[0]
    if len(dites) > 1 or not (valeur.isdigit() if nom == b"content-length" else valeur.lower() == b"chunked"):
        raise RequeteMalformee


def _sans_corps(scope: Any) -> bool:
    """True where HTTP/1 says that there is no body: nothing is to be received."""
    dites = [valeur for nom, valeur in scope["headers"] if nom in _LONGUEURS]
    return (not dites or dites == [b"0"]) and scope.get("http_version", "").startswith("1.")
