"""Mutual exclusion of processes: a session advisory lock on PostgreSQL, a locked file beside a SQLite base.

Either lock is released with its process, however that ends.
"""

import fcntl
import logging
import os
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db import Error as ErreurDeBase

from socle.taches.base import attendre_la_base

journal = logging.getLogger("campus.base")
MINUTES = 30  # the other process may be changing a million rows
PAUSE = 0.5
_ESPACE = 5_318_009  # an arbitrary key space, for these locks alone


@contextmanager
def un_seul(acte: str, alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Hold the lock of this act on this base while the block runs; wait for it, CommandError after 30 minutes."""
    connexion: Any = connections[alias]
    if connexion.vendor == "postgresql":
        verrou = _verrou_de_session(acte, connexion)
    elif connexion.is_in_memory_db():
        verrou = _sans_verrou()
    else:
        verrou = _verrou_de_fichier(f"{connexion.settings_dict['NAME']}.{acte}.verrou")
    with verrou as prendre:
        _attendre(acte, prendre)
        yield


def _attendre(acte: str, prendre: Callable[[], bool]) -> None:
    fin = time.monotonic() + 60 * MINUTES
    est_dit = False
    while not prendre():
        if time.monotonic() >= fin:
            raise CommandError(f"Un autre processus fait déjà « {acte} » depuis {MINUTES} minutes : abandon.")
        if not est_dit:
            est_dit = True
            journal.info("« %s » est en cours dans un autre processus : on l'attend", acte)
        time.sleep(PAUSE)


@contextmanager
def _verrou_de_session(acte: str, connexion: Any) -> Iterator[Callable[[], bool]]:
    """Advisory lock that is polled: a statement that waits for it would be cut by statement_timeout."""
    cle = [_ESPACE, zlib.crc32(acte.encode()) & 0x7FFFFFFF]

    def demander(fonction: str) -> bool:
        with connexion.cursor() as curseur:
            curseur.execute(f"SELECT {fonction}(%s, %s)", cle)
            return bool(curseur.fetchone()[0])

    def prendre() -> bool:
        try:
            return demander("pg_try_advisory_lock")
        except (OperationalError, InterfaceError):
            connexion.close()
            attendre_la_base(connexion.alias)
            return demander("pg_try_advisory_lock")

    try:
        yield prendre
    finally:
        with suppress(ErreurDeBase):  # a session that is lost has lost its locks
            demander("pg_advisory_unlock")


@contextmanager
def _verrou_de_fichier(chemin: str) -> Iterator[Callable[[], bool]]:
    """Lock a file (flock) and leave it there: were it removed, two processes could each lock one of that name."""
    descripteur = os.open(chemin, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def prendre() -> bool:
        try:
            fcntl.flock(descripteur, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    try:
        yield prendre
    finally:
        os.close(descripteur)


@contextmanager
def _sans_verrou() -> Iterator[Callable[[], bool]]:
    """The null lock, always taken: a base in memory has one process."""
    yield lambda: True
