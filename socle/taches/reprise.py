"""Retries of background tasks: growing delays after an error, and requeueing after the death of a worker."""

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

from socle.metriques import CONNUES, tasks_total
from socle.taches.base import rafraichir

journal = logging.getLogger("campus.taches")
# Seconds before each new try: within the minute at first, then for two days.
DELAIS = (15, 60, 300, 1800, 7200, 21600, 43200, 86400)
RESULTATS = REUSSIE, A_REESSAYER, ABANDONNEE = "reussie", "a_reessayer", "abandonnee"
_arret: ContextVar[Callable[[], bool]] = ContextVar("arret")


class TacheInterrompue(BaseException):
    """Interruption of a task, neither success nor failure: the worker puts it back as it was, for any process."""


@contextmanager
def interrompre_si(arret: Callable[[], bool]) -> Iterator[None]:
    """Set the stop condition of this context, which `exiger_la_suite` asks while the block runs."""
    jeton = _arret.set(arret)
    try:
        yield
    finally:
        _arret.reset(jeton)


def exiger_la_suite() -> None:
    """Cancellation point of long work: TacheInterrompue once the worker is told to stop; no effect outside a worker."""
    if _arret.get(lambda: False)():
        raise TacheInterrompue


def tache(*, queue_name: str = "default", module: str | None = None) -> Callable[[Callable[..., None]], Any]:
    """A background task `f(identifiant)` that must be idempotent; enqueue it in the transaction of its cause.

    It takes ids alone: arguments are stored in clear. `module` names it in the queue, where it has been moved since:
    processes of the version before find it, and their tasks are found.
    """

    def decorer(fonction: Callable[..., None]) -> Any:
        CONNUES.append((tasks_total, {"resultat": RESULTATS, "tache": (fonction.__name__,)}))

        @functools.wraps(fonction)
        def executer(identifiant: str, essai: int = 0) -> None:
            try:
                fonction(identifiant)
            except Exception as panne:
                exiger_la_suite()
                if essai >= len(DELAIS):
                    tasks_total.labels(fonction.__name__, ABANDONNEE).inc()
                    journal.error("tâche %s abandonnée après %d essais", fonction.__name__, essai + 1)
                    raise
                remettre(identifiant, essai)
                tasks_total.labels(fonction.__name__, A_REESSAYER).inc()
                journal.warning("tâche %s à réessayer (%s)", fonction.__name__, type(panne).__name__)
            else:
                tasks_total.labels(fonction.__name__, REUSSIE).inc()

        def remettre(identifiant: str, essai: int) -> None:
            """Enqueue the next try after its delay, on a renewed connection, as the old one may be what failed."""
            dans = timezone.now() + timedelta(seconds=DELAIS[essai])
            try:
                rafraichir()
                differee.using(run_after=dans).enqueue(identifiant, essai=essai + 1)
            except ErreurDeBase as absente:
                raise TacheInterrompue from absente

        executer.__module__ = module or fonction.__module__
        differee: Any = task(queue_name=queue_name)(executer)
        return differee

    return decorer


def reprendre() -> int:
    """Requeue tasks running for longer than TASK_RECLAIM_AFTER, left by a dead worker; return their number."""
    limite = timezone.now() - settings.TASK_RECLAIM_AFTER
    return DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING, started_at__lt=limite).update(
        status=TaskResultStatus.READY, started_at=None
    )
