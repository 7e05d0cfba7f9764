"""Purges of files past their retention: deleted evidence, and uploads never attached to anything."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from resources.models import Fichier
from resources.services.fichiers import effacer, est_retenu
from resources.stockage import seaux_connus
from socle.taches.entretien import lots, purges

LOT = 1_000


@purges("Fichiers supprimés, gardés assez longtemps")
def supprimes(*, simulation: bool) -> int:
    limite = timezone.now() - settings.DELETED_FILES_KEPT
    lignes = Fichier.objects.supprimes().filter(date_suppression__lt=limite).order_by("date_suppression", "id")
    return _purger(lignes, simulation=simulation)


@purges("Fichiers qui ne sont joints à rien")
def libres(*, simulation: bool) -> int:
    limite = timezone.now() - settings.UNATTACHED_FILES_KEPT
    lignes = Fichier.objects.libres().filter(date_creation__lt=limite).order_by("date_creation", "id")
    return _purger(lignes, simulation=simulation)


def _purger(lignes: QuerySet[Any], *, simulation: bool) -> int:
    """Erase row by row, judged again under its lock: it may have been restored, attached or held. Return how many."""
    lignes = lignes.filter(seau__in=seaux_connus())
    return sum(_purger_un(lignes, pk, simulation=simulation) for lot in lots(lignes, LOT) for pk in lot)


@transaction.atomic
def _purger_un(lignes: QuerySet[Any], pk: UUID, *, simulation: bool) -> bool:
    fichier = lignes.filter(pk=pk).first()
    if fichier is None or est_retenu(fichier) or lignes.select_for_update().filter(pk=pk).first() is None:
        return False
    if not simulation:
        effacer(pk)
    return True
