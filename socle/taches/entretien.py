"""Seams for upkeep: apps register their purges (`manage.py purge`), their steps of each minute, and of a stop."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from socle.domaine.registre import Registre
from socle.taches.models import GARDE_JOURS, Battement

GARDE_TACHES = timedelta(days=7)
# Rows removed (words for the operator) -> (simulation) -> number of rows.
purges: Registre[Callable[..., int]] = Registre("purges")
# Step of the worker's every minute (words for the log) -> () -> None.
chaque_minute: Registre[Callable[[], None]] = Registre("entretien de chaque minute")
# Step of a worker that stops before a task has ended (words for the log) -> () -> None.
a_l_arret: Registre[Callable[[], None]] = Registre("arrêt de l'ouvrier")


def supprimer(lignes: QuerySet[Any], *, simulation: bool) -> int:
    return lignes.count() if simulation else lignes.delete()[0]


def lots(lignes: QuerySet[Any], nombre: int) -> Iterator[list[Any]]:
    """Keys of these rows by keyset, in batches, in their own order: a date, then the key. What stays is passed once."""
    date, _cle = map(str, lignes.query.order_by)
    suite = lignes
    while lus := list(suite.values_list(date, "pk")[:nombre]):
        yield [cle for _date, cle in lus]
        derniere, cle = lus[-1]
        suite = lignes.filter(Q(**{f"{date}__gt": derniere}) | Q(**{date: derniere, "pk__gt": cle}))


@purges("Tâches finies")
def taches(*, simulation: bool) -> int:
    finies = DBTaskResult.objects.filter(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
    return supprimer(finies.filter(finished_at__lt=timezone.now() - GARDE_TACHES), simulation=simulation)


@purges("Ouvriers disparus")
def battements(*, simulation: bool) -> int:
    anciens = Battement.objects.filter(date__lt=timezone.now() - timedelta(days=GARDE_JOURS))
    return supprimer(anciens, simulation=simulation)
