"""Tasks that are tried again: with growing delays after an error, and after the process that ran them died."""

import functools
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error as ErreurDeBase
from django.utils import timezone
from django_tasks import task
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from socle.metriques import tasks_total
from socle.taches.base import rafraichir

journal = logging.getLogger("campus.taches")
# Seconds before each new try: within the minute at first, then for two days.
DELAIS = (15, 60, 300, 1800, 7200, 21600, 43200, 86400)
_arret: ContextVar[Callable[[], bool]] = ContextVar("arret")


class TacheInterrompue(BaseException):
    """It has neither succeeded nor failed: it is put back as it was, for this process or another."""


@contextmanager
def interrompre_si(arret: Callable[[], bool]) -> Iterator[None]:
    """Around tasks that a process gives up when it ends."""
    jeton = _arret.set(arret)
    try:
        yield
    finally:
        _arret.reset(jeton)


def exiger_la_suite() -> None:
    """Called by what takes long: TacheInterrompue where the worker is told to stop; nothing outside a worker."""
    if _arret.get(lambda: False)():
        raise TacheInterrompue


def tache(*, queue_name: str = "default") -> Callable[[Callable[..., None]], Any]:
    """A background task `f(identifiant)` that must be idempotent; enqueue it in the transaction of its cause.

    It takes ids alone: arguments are stored in clear.
    """

    def decorer(fonction: Callable[..., None]) -> Any:
        @functools.wraps(fonction)
        def executer(identifiant: str, essai: int = 0) -> None:
            try:
                fonction(identifiant)
            except Exception as panne:
                exiger_la_suite()
                if essai >= len(DELAIS):
                    tasks_total.labels(fonction.__name__, "abandonnee").inc()
                    journal.error("tâche %s abandonnée après %d essais", fonction.__name__, essai + 1)
                    raise
                remettre(identifiant, essai)
                tasks_total.labels(fonction.__name__, "a_reessayer").inc()
                journal.warning("tâche %s à réessayer (%s)", fonction.__name__, type(panne).__name__)
            else:
                tasks_total.labels(fonction.__name__, "reussie").inc()

        def remettre(identifiant: str, essai: int) -> None:
            """As its next try; on a connection that works, for the one it had may be what failed."""
            dans = timezone.now() + timedelta(seconds=DELAIS[essai])
            try:
                rafraichir()
                differee.using(run_after=dans).enqueue(identifiant, essai=essai + 1)
            except ErreurDeBase as absente:
                raise TacheInterrompue from absente

        differee: Any = task(queue_name=queue_name)(executer)
        return differee

    return decorer


def reprendre() -> int:
    """Put back what a dead process left running; the number of tasks."""
    limite = timezone.now() - settings.TASK_RECLAIM_AFTER
    return DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING, started_at__lt=limite).update(
        status=TaskResultStatus.READY, started_at=None
    )
