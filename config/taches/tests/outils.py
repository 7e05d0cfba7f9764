"""Running the queue inside a test, as the worker would."""

from typing import Any
from unittest import mock

from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult


class ServeurAbsent(BaseEmailBackend):
    """A mail server that is away."""

    def send_messages(self, email_messages: Any) -> int:
        raise ConnectionRefusedError


def faire_les_taches() -> None:
    """Run all that is due, then stop; inside the transaction of the test, whose connection must stay open."""
    ouvrier = db_worker.Worker(
        queue_names=["*"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id="essai",
        excluded_queue_names=[],
    )
    with mock.patch.object(db_worker, "close_old_connections"):
        ouvrier.run()


def en_file() -> Any:
    return DBTaskResult.objects.filter(status=TaskResultStatus.READY).order_by("run_after")


def delai_de(tache: DBTaskResult) -> int:
    """Seconds from now until it may run."""
    return round((tache.run_after - timezone.now()).total_seconds())
