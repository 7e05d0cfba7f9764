"""What is done with time: each app registers its own remover here, run by `manage.py purge`, and what cannot wait."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from socle.domaine.registre import Registre

GARDE_TACHES = timedelta(days=7)
# What is removed (words for the operator) -> (simulation) -> number of rows.
purges: Registre[Callable[..., int]] = Registre("purges")
# What the worker does every minute (words for the log) -> () -> None.
chaque_minute: Registre[Callable[[], None]] = Registre("entretien de chaque minute")
# What a worker that stops does when a task has not ended (words for the log) -> () -> None.
a_l_arret: Registre[Callable[[], None]] = Registre("arrêt de l'ouvrier")


def supprimer(lignes: QuerySet[Any], *, simulation: bool) -> int:
    return lignes.count() if simulation else lignes.delete()[0]


@purges("Tâches finies")
def taches(*, simulation: bool) -> int:
    finies = DBTaskResult.objects.filter(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
    return supprimer(finies.filter(finished_at__lt=timezone.now() - GARDE_TACHES), simulation=simulation)
