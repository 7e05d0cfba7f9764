"""What is removed with time: each app registers its own remover here, `manage.py purge` runs them all."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.domaine.registre import Registre

GARDE_TACHES = timedelta(days=7)
# What is removed (words for the operator) -> (simulation) -> number of rows.
purges = Registre()


def supprimer(lignes: QuerySet[Any], *, simulation: bool) -> int:
    return lignes.count() if simulation else lignes.delete()[0]


@purges("Tâches finies")
def taches(*, simulation: bool) -> int:
    finies = DBTaskResult.objects.filter(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
    return supprimer(finies.filter(finished_at__lt=timezone.now() - GARDE_TACHES), simulation=simulation)
