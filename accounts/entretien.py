from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from accounts.models import DemandeMotDePasse, Session
from config.realtime.purge import purger
from config.taches.entretien import purges

# A refresh token that comes back is recognised as reused for as long as it could have lived.
GARDE_TACHES = timedelta(days=7)


@purges("Sessions expirées")
def sessions(*, simulation: bool) -> int:
    return _supprimer(Session.objects.filter(date_expiration__lt=timezone.now()), simulation)


@purges("Demandes de mot de passe expirées")
def demandes(*, simulation: bool) -> int:
    return _supprimer(DemandeMotDePasse.objects.filter(date_expiration__lt=timezone.now()), simulation)


@purges("Événements diffusés")
def evenements(*, simulation: bool) -> int:
    avant = timezone.now() - timedelta(hours=settings.EVENEMENTS_CONSERVES_HEURES)
    return purger(avant, simulation=simulation)


@purges("Tâches finies")
def taches(*, simulation: bool) -> int:
    finies = Q(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
    avant = timezone.now() - GARDE_TACHES
    return _supprimer(DBTaskResult.objects.filter(finies, finished_at__lt=avant), simulation)


def _supprimer(lignes: QuerySet[Any], simulation: bool) -> int:
    return lignes.count() if simulation else lignes.delete()[0]
