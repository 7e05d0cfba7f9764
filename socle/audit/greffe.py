"""The clerk: one thread per process that writes the traces of reads, many at a time."""

import atexit
import logging
import os
import threading
import time
from collections import deque

from django.conf import settings
from django.db import DatabaseError, DataError, InterfaceError, close_old_connections, connections, transaction

from socle.audit.models import Trace
from socle.erreurs import ServiceIndisponible
from socle.moteur.delais import REQUETE_SECONDES, echeance

journal = logging.getLogger("campus.audit")
PAS = 0.2  # seconds from one batch to the next, and what a process that is killed loses
LOT = 500
EN_ATTENTE = 10_000
PATIENCE = 10.0  # seconds for which a base that takes no rows is borne with
PAUSE_APRES_ECHEC = 1.0
ARRET = 3.0


class Greffe:
    def __init__(self) -> None:
        self._file: deque[Trace] = deque()
        self._reveil = threading.Event()
        self._fin = threading.Event()
        self._fil: threading.Thread | None = None
        self._verrou = threading.Lock()
        self._en_panne_depuis: float | None = None

    def exiger(self) -> None:
        """503 where what is read could not be written down: for 10 s nothing was, or too much waits."""
        depuis = self._en_panne_depuis
        en_panne = depuis is not None and time.monotonic() - depuis > PATIENCE
        if en_panne or len(self._file) >= EN_ATTENTE:
            raise ServiceIndisponible(attente=5)

    def deposer(self, traces: list[Trace]) -> None:
        self._file.extend(traces)
        if settings.AUDIT_EN_FOND and not self._reveil.is_set():
            self._reveil.set()
            self._tenir()

    def _tenir(self) -> None:
        if self._fil is not None and self._fil.is_alive():
            return
        with self._verrou:
            if self._fil is None or not self._fil.is_alive():
                self._fin.clear()
                self._fil = threading.Thread(target=self._tourner, name="greffe", daemon=True)
                self._fil.start()

    def vider(self) -> int:
        """Write what waits, in this thread; return how many. What cannot be written waits again, and the error goes on.

        Safe from two threads at once: each row is taken by one.
        """
        ecrites = 0
        while lot := self._prendre():
            try:
                _ecrire(lot)
            except BaseException:
                self._file.extendleft(reversed(lot))
                raise
            ecrites += len(lot)
        return ecrites

    def _prendre(self) -> list[Trace]:
        lot: list[Trace] = []
        while len(lot) < LOT and self._file:
            try:
                lot.append(self._file.popleft())
            except IndexError:  # another thread took the last
                break
        return lot

    def arreter(self) -> None:
        """Write the rest within three seconds and end the thread; the next read starts another."""
        with self._verrou:
            fil, self._fil = self._fil, None
        if fil is None:
            return
        self._fin.set()
        self._reveil.set()
        fil.join(ARRET)
        self._reveil.clear()
        if self._file:
            journal.error("%d consultation(s) n'ont pas pu être écrites au registre.", len(self._file))

    def oublier(self) -> None:
        """Drop what waits: for tests, and for a child process, whose parent writes it."""
        self._file.clear()
        self._en_panne_depuis = None

    def _tourner(self) -> None:
        try:
            while not self._fin.is_set():
                self._reveil.wait()
                self._fin.wait(PAS)
                self._reveil.clear()
                self._essayer()
        finally:
            connections.close_all()

    def _essayer(self) -> None:
        try:
            close_old_connections()
            with echeance(REQUETE_SECONDES):
                self.vider()
        except (DatabaseError, InterfaceError) as panne:
            if self._en_panne_depuis is None:
                self._en_panne_depuis = time.monotonic()
                journal.warning("Le registre attend la base (%s).", type(panne).__name__)
            if not self._fin.wait(PAUSE_APRES_ECHEC):
                self._reveil.set()
        else:
            self._en_panne_depuis = None


def _ecrire(lot: list[Trace]) -> None:
    try:
        Trace.objects.bulk_create(lot)
    except DataError:  # one row that the base does not take must not keep the others, nor staff, waiting
        with transaction.atomic():
            for trace in lot:
                _ecrire_seule(trace)


def _ecrire_seule(trace: Trace) -> None:
    try:
        with transaction.atomic():
            trace.save(force_insert=True)
    except DataError:
        journal.exception("Une consultation est écrite au registre sans ses détails.")
        trace.details = {}
        trace.save(force_insert=True)


def _repartir() -> None:
    """Replace the clerk in a forked child: a fork keeps the object and loses its thread."""
    global greffe
    greffe = Greffe()


greffe = Greffe()
os.register_at_fork(after_in_child=_repartir)
atexit.register(lambda: greffe.arreter())
