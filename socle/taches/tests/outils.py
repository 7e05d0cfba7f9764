"""Running the queue inside a test, as the worker would."""

from typing import Any

from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from socle.taches.ouvrier import OuvrierInterne


class ServeurAbsent(BaseEmailBackend):
    """A mail server that is away."""

    def send_messages(self, email_messages: Any) -> int:
        raise ConnectionRefusedError


def faire_les_taches() -> None:
    """Run all that is due, then stop; inside the transaction of the test, whose connection must stay open."""
    OuvrierInterne().vider()


def en_file() -> Any:
    return DBTaskResult.objects.filter(status=TaskResultStatus.READY).order_by("run_after")


def delai_de(tache: DBTaskResult) -> int:
    """Seconds from now until it may run."""
    return round((tache.run_after - timezone.now()).total_seconds())
