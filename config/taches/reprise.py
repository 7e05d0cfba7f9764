"""Tasks that are tried again: with growing delays after an error, and after the process that ran them died."""

import functools
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django_tasks import task
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.metriques import tasks_total

journal = logging.getLogger("campus.taches")
# Seconds before each new try: within the minute at first, then for two days.
DELAIS = (15, 60, 300, 1800, 7200, 21600, 43200, 86400)


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
                if essai >= len(DELAIS):
                    tasks_total.labels(fonction.__name__, "abandonnee").inc()
                    journal.error("tâche %s abandonnée après %d essais", fonction.__name__, essai + 1)
                    raise
                tasks_total.labels(fonction.__name__, "a_reessayer").inc()
                journal.warning("tâche %s à réessayer (%s)", fonction.__name__, type(panne).__name__)
                dans = timezone.now() + timedelta(seconds=DELAIS[essai])
                differee.using(run_after=dans).enqueue(identifiant, essai=essai + 1)
            else:
                tasks_total.labels(fonction.__name__, "reussie").inc()

        differee: Any = task(queue_name=queue_name)(executer)
        return differee

    return decorer


def reprendre() -> int:
    """Put back what a dead process left running; the number of tasks."""
    limite = timezone.now() - settings.TASK_RECLAIM_AFTER
    return DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING, started_at__lt=limite).update(
        status=TaskResultStatus.READY, started_at=None
    )
