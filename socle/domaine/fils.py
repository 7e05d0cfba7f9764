"""Thread pools for the server's loop: few shared threads, which close their database connections when idle."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeVar

from django.db import OperationalError, close_old_connections, connections

from socle.domaine.delais import REPONSE_SECONDES, REQUETE_SECONDES, echeance

P = ParamSpec("P")
T = TypeVar("T")

NOMBRE = 4  # more gained nothing
OISIF_SECONDES = 60.0


class Fils(Executor):
    """A pool of daemon threads, last in first out: a quiet service uses one, and the others close their connections.

    No stop waits for a hanging thread, not even the interpreter's.
    """

    def __init__(self, nombre: int, nom: str, *, oisif: float = OISIF_SECONDES) -> None:
        self._nombre = nombre
        self._nom = nom
        self._oisif = oisif
        self._verrou = threading.Lock()
        self._en_attente: deque[_Travail] = deque()
        self._boites: list[SimpleQueue[_Travail]] = []  # of the idle threads
        self._lances = 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        travail = _Travail(partial(fn, *args, **kwargs))
        with self._verrou:
            if self._boites:
                self._boites.pop().put(travail)
            elif self._lances < self._nombre:
                self._lances += 1
                nom = f"{self._nom}-{self._lances}"
                threading.Thread(target=self._tourner, args=[travail], name=nom, daemon=True).start()
            else:
                self._en_attente.append(travail)
        return travail.futur

    async def en_fil(self, fonction: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """Run a function that reads the database in a thread; OperationalError past REPONSE_SECONDES.

        One that is still queued by then is cancelled, and never runs.
        """
        boucle = asyncio.get_running_loop()
        travail = partial(copy_context().run, _avec_la_base, partial(fonction, *args, **options))
        try:
            async with asyncio.timeout(REPONSE_SECONDES):
                return await boucle.run_in_executor(self, travail)
        except TimeoutError as trop_tard:
            raise OperationalError("no thread in time") from trop_tard

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

    def _tourner(self, travail: "_Travail") -> None:
        boite: SimpleQueue[_Travail] = SimpleQueue()
        while True:
            travail.faire()
            del travail  # and what it holds
            travail = self._prochain(boite)

    def _prochain(self, boite: "SimpleQueue[_Travail]") -> "_Travail":
        with self._verrou:
            if self._en_attente:
                return self._en_attente.popleft()
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


# The pool for all database work of requests and sockets.
communs = Fils(NOMBRE, "fils")
# The pool for answers that need no database.
sans_base = Fils(2, "sans-base")
