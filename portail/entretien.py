from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from portail.models import Acces, Brouillon
from portail.vocabulaire import DUREE, DUREE_BROUILLON, GARDE_ACCES
from socle.taches.entretien import purges, supprimer


@purges("Brouillons du portail de plus de deux heures")
def brouillons(*, simulation: bool) -> int:
    return supprimer(_avant(Brouillon, DUREE_BROUILLON), simulation=simulation)


@purges("Accès du portail finis depuis un jour")
def acces(*, simulation: bool) -> int:
    return supprimer(_avant(Acces, DUREE + GARDE_ACCES), simulation=simulation)


def _avant(modele: Any, duree: Any) -> QuerySet[Any]:
    lignes: QuerySet[Any] = modele.objects.filter(date_creation__lt=timezone.now() - duree)
    return lignes
