"""The body of a request, received in the server's loop before a thread is taken: a slow client holds none."""

import asyncio
import io
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import SimpleNamespace
from typing import IO, Any
from uuid import uuid4

from config.api.exceptions import rendre
from config.api.reponses import en_json
from config.api.routes import route_du_chemin
from config.domaine.erreurs import ErreurMetier, RequeteMalformee, ServiceIndisponible
from config.metriques import compter_requete

Appel = Callable[..., Awaitable[Any]]
SECONDES = 30.0
MORCEAU = 64 * 1024


class CorpsRecu:
    """Past `limite` bytes nothing more is read: whoever judges the body sees that it is too large."""

    def __init__(self, suite: Appel, *, limite: int, delai: float = SECONDES, sur_disque: bool = False) -> None:
        self.suite = suite
        self.limite = limite
        self.delai = delai
        self.sur_disque = sur_disque

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        with ExitStack() as pile:
            try:
                corps = pile.enter_context(_sur_disque() if self.sur_disque else io.BytesIO())
                async with asyncio.timeout(self.delai):
                    taille = await self._recevoir(receive, corps)
            except TimeoutError:
                await refuser(scope, send, RequeteMalformee())
            except OSError:
                await refuser(scope, send, ServiceIndisponible(attente=60))
            else:
                if taille is not None:
                    await self.suite(_avec_longueur(scope, taille), _rejouer(corps, receive), send)

    async def _recevoir(self, receive: Appel, corps: IO[bytes]) -> int | None:
        """How many bytes the whole body is, 0 where more would come, None where the client left.

        Where the disk fails the rest is read all the same: who is cut while sending does not hear why.
        """
        total, suite, panne = 0, True, None
        while suite and total <= self.limite:
            async with asyncio.timeout(SECONDES):
                message = await receive()
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
        return 0 if suite else total

    async def _ecrire(self, corps: IO[bytes], morceau: bytes, *, fini: bool) -> OSError | None:
        """What kept it from being written, if anything did."""
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
        with suppress(OSError):  # what a full disk did not take is refused already
            corps.close()


def _avec_longueur(scope: Any, taille: int) -> Any:
    """A body that came without a length, in chunks, has the one that it turned out to have; 0 is not known."""
    if not taille:
        return scope
    autres = [(nom, v) for nom, v in scope["headers"] if nom not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*autres, (b"content-length", str(taille).encode())]}


def _rejouer(corps: IO[bytes], receive: Appel) -> Appel:
    fini = False

    async def recevoir() -> Any:
        nonlocal fini
        if fini:
            return await receive()
        morceau = corps.read(MORCEAU)
        fini = len(morceau) < MORCEAU
        return {"type": "http.request", "body": morceau, "more_body": not fini}

    return recevoir


async def refuser(scope: Any, send: Appel, erreur: ErreurMetier) -> None:
    """The error envelope, for a request that no view has seen."""
    requete: Any = SimpleNamespace(path=scope["path"], id_requete=uuid4().hex)
    corps, autres = rendre(erreur, requete)
    compter_requete(scope["method"], route_du_chemin(scope["path"]), erreur.statut_http)
    entetes = [(b"content-type", b"application/json"), (b"connection", b"close")]
    entetes += [(nom.lower().encode(), valeur.encode()) for nom, valeur in autres.items()]
    await send({"type": "http.response.start", "status": erreur.statut_http, "headers": entetes})
    await send({"type": "http.response.body", "body": en_json(corps)})
