"""Seams for upkeep: apps register their purges (`manage.py purge`), their steps of each minute, and of a stop."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from socle.domaine.registre import Registre

GARDE_TACHES = timedelta(days=7)
# Rows removed (words for the operator) -> (simulation) -> number of rows.
purges: Registre[Callable[..., int]] = Registre("purges")
# Step of the worker's every minute (words for the log) -> () -> None.
chaque_minute: Registre[Callable[[], None]] = Registre("entretien de chaque minute")
# Step of a worker that stops before a task has ended (words for the log) -> () -> None.
a_l_arret: Registre[Callable[[], None]] = Registre("arrêt de l'ouvrier")


def supprimer(lignes: QuerySet[Any], *, simulation: bool) -> int:
    return lignes.count() if simulation else lignes.delete()[0]


@purges("Tâches finies")
def taches(*, simulation: bool) -> int:
    finies = DBTaskResult.objects.filter(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
    return supprimer(finies.filter(finished_at__lt=timezone.now() - GARDE_TACHES), simulation=simulation)
