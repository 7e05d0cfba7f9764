"""Thread pools for the server's loop: few shared threads, which close their database connections when idle."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import OperationalError, close_old_connections, connections

from socle.moteur.delais import REPONSE_SECONDES, REQUETE_SECONDES, echeance

P = ParamSpec("P")
T = TypeVar("T")

NOMBRE = 4  # more gained nothing
OISIF_SECONDES = 60.0
RETARD_SECONDES = 1.0  # of a timer, past which the whole process was stopped
SURSIS_SECONDES = 4.0


class SansReponse(TimeoutError):
    """It has begun: what it did, or will do, is not known."""


class Executeur(Executor):
    """A pool of daemon threads, last in first out: a quiet service uses one, and the others close their connections.

    No stop waits for a hanging thread, not even the interpreter's.
    """

    def __init__(self, nombre: int, nom: str, *, oisif: float = OISIF_SECONDES) -> None:
        self._nombre = nombre
        self._nom = nom
        self._oisif = oisif
        self._verrou = threading.Lock()
        self._en_attente: deque[_AFaire] = deque()
        self._boites: list[SimpleQueue[_AFaire | None]] = []  # of the idle threads
        self._appele = False  # a thread is on its way to the queue
        self._lances = 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        travail = _Travail(partial(fn, *args, **kwargs))
        self._confier(travail)
        return travail.futur

    def _confier(self, travail: "_AFaire") -> None:
        with self._verrou:
            self._en_attente.append(travail)
            self._appeler()

    def _appeler(self) -> None:
        """Call one more thread for what is queued, unless one is on its way: it calls the next as it starts.

        So a burst wakes few threads, and none of them waits for the interpreter's lock only to find nothing left.
        """
        if self._appele or not self._en_attente:
            return
        if self._boites:
            self._boites.pop().put(None)
        elif self._lances < self._nombre:
            nom = f"{self._nom}-{self._lances + 1}"
            threading.Thread(target=self._tourner, name=nom, daemon=True).start()
            self._lances += 1
        else:
            return
        self._appele = True

    async def en_fil(self, fonction: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """Run a function that reads the database in a thread; OperationalError past REPONSE_SECONDES.

        One that is still queued by then is cancelled, and never runs.
        """
        try:
            return await self.passer(REPONSE_SECONDES, _avec_la_base, partial(fonction, *args, **options))
        except TimeoutError as trop_tard:
            raise OperationalError("no thread in time") from trop_tard

    async def passer(self, secondes: float, fonction: Callable[..., T], *args: Any) -> T:
        """Run a function in a thread, in this context; TimeoutError past these seconds.

        One that is still queued by then, or whose caller is cancelled, never runs; SansReponse for one that has begun.
        """
        boucle = asyncio.get_running_loop()
        passage: _Passage[T] = _Passage(boucle, copy_context(), fonction, args)
        passage.limiter(secondes)
        try:
            self._confier(passage)
            return await passage.attendu
        finally:
            passage.limite.cancel()
            passage.prendre()

    def rendre(self) -> "list[Future[None]]":
        """Have the idle threads close their database connections; return a future for each."""
        with self._verrou:
            boites, self._boites = self._boites, []
        travaux = [_Travail(connections.close_all) for _boite in boites]
        for boite, travail in zip(boites, travaux, strict=True):
            boite.put(travail)
        return [travail.futur for travail in travaux]

    def vider(self, secondes: float) -> None:
        """Wait, at most this long, until all threads are idle and hold no connection."""
        limite = time.monotonic() + secondes
        while time.monotonic() < limite:
            with self._verrou:
                oisifs = len(self._boites)
            if oisifs == self._lances:
                for futur in self.rendre():
                    with suppress(TimeoutError):
                        futur.result(max(limite - time.monotonic(), 0.0))
                return
            time.sleep(0.01)

    def _tourner(self) -> None:
        boite: SimpleQueue[_AFaire | None] = SimpleQueue()
        appele = True
        while True:
            travail = self._prochain(boite, appele=appele)
            appele = travail is None
            if travail is not None:
                travail.faire()
                del travail  # and what it holds

    def _prochain(self, boite: "SimpleQueue[_AFaire | None]", *, appele: bool) -> "_AFaire | None":
        """The next work; None where the thread was called to look for it."""
        with self._verrou:
            if appele:
                self._appele = False
            if self._en_attente:
                travail = self._en_attente.popleft()
                self._appeler()
                return travail
            self._boites.append(boite)
        try:
            return boite.get(timeout=self._oisif)
        except Empty:
            connections.close_all()
            return boite.get()


def _avec_la_base(travail: Callable[[], T]) -> T:
    close_old_connections()
    try:
        with echeance(REQUETE_SECONDES):
            return travail()
    finally:
        close_old_connections()


class _Travail:
    def __init__(self, fonction: Callable[[], Any]) -> None:
        self.futur: Future[Any] = Future()
        self._fonction = fonction

    def faire(self) -> None:
        """Run the function and settle the future; nothing where it was cancelled before its turn."""
        if not self.futur.set_running_or_notify_cancel():
            return
        try:
            resultat = self._fonction()
        except BaseException as erreur:
            self.futur.set_exception(erreur)
        else:
            self.futur.set_result(resultat)


class _Passage(Generic[T]):
    """A call from a loop into a thread, and its result back; lighter than a Future with a lock, and one to await."""

    def __init__(
        self, boucle: asyncio.AbstractEventLoop, contexte: Context, fonction: Callable[..., T], args: tuple[Any, ...]
    ) -> None:
        self.attendu: asyncio.Future[T] = boucle.create_future()
        self._boucle = boucle
        self._contexte = contexte
        self._reste = [(fonction, args)]  # until somebody takes it: `pop` is atomic

    def prendre(self) -> tuple[Callable[..., T], tuple[Any, ...]] | None:
        """The call, for the first who asks; who gives up asks too, and it never runs."""
        try:
            return self._reste.pop()
        except IndexError:
            return None

    def faire(self) -> None:
        if (appel := self.prendre()) is None:
            return
        fonction, args = appel
        try:
            resultat = self._contexte.run(fonction, *args)
        except BaseException as erreur:
            self._rendre(self._echouer, erreur)
        else:
            self._rendre(self._reussir, resultat)

    def limiter(self, secondes: float) -> None:
        self._fin = self._boucle.time() + secondes
        self.limite = self._boucle.call_at(self._fin, self.abandonner)

    def abandonner(self) -> None:
        """Give up; but once a process that was stopped goes on, its timers come first, and what has begun gets time."""
        if self.prendre() is not None:
            self._echouer(TimeoutError())
        elif self._boucle.time() - self._fin > RETARD_SECONDES:
            self.limiter(SURSIS_SECONDES)
        else:
            self._echouer(SansReponse())

    def _rendre(self, suite: Callable[[Any], None], valeur: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            self._boucle.call_soon_threadsafe(suite, valeur)

    def _reussir(self, resultat: T) -> None:
        if not self.attendu.done():
            self.attendu.set_result(resultat)

    def _echouer(self, erreur: BaseException) -> None:
        if not self.attendu.done():
            self.attendu.set_exception(erreur)


_AFaire = _Travail | _Passage[Any]

# The pool for all database work of requests and sockets.
communs = Executeur(NOMBRE, "fils")
# The pool for answers that need no database.
sans_base = Executeur(2, "sans-base")
