"""What is too old to be replayed is deleted, and readers who come from before it are told."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Max, Min, QuerySet
from django.db.models.functions import Greatest

from socle.realtime.models import CanalEfface, CompteurEvenements, Evenement

LOT = 1_000


def purger(avant: datetime, *, simulation: bool = False) -> int:
    """Delete the events older than `avant`, the oldest numbers first and without a gap; returns how many."""
    numerotes = Evenement.objects.filter(numero__isnull=False)
    premier_garde = numerotes.filter(date_creation__gte=avant).aggregate(n=Min("numero"))["n"]
    limite = premier_garde - 1 if premier_garde else CompteurEvenements.lire().dernier_numero
    anciens = numerotes.filter(numero__lte=limite)
    if simulation:
        return anciens.count()
    total = 0
    while numeros := list(anciens.order_by("numero").values_list("numero", flat=True)[:LOT]):
        total += _effacer_jusqu_a(numeros[-1] or 0)
    return total


def _effacer_jusqu_a(numero: int) -> int:
    """Say it first, in one statement: numbering waits for that row, and a purge that hangs must not hold it."""
    dernier_purge = Greatest(F("dernier_purge"), numero)
    if not CompteurEvenements.objects.update(dernier_purge=dernier_purge):
        with transaction.atomic():
            CompteurEvenements.verrouille()  # makes it again
        CompteurEvenements.objects.update(dernier_purge=dernier_purge)
    anciens = Evenement.objects.filter(numero__lte=numero)
    with transaction.atomic():
        _retenir(anciens)
        return anciens.delete()[0]


def _retenir(anciens: QuerySet[Evenement]) -> None:
    """Who comes back to one of these channels from before these events has missed some; to another, nothing."""
    derniers = anciens.order_by("canal", "audience").values("canal", "audience").annotate(dernier=Max("numero"))
    CanalEfface.objects.bulk_create(
        [CanalEfface(canal=d["canal"], audience=d["audience"], numero=d["dernier"]) for d in derniers],
        update_conflicts=True,
        unique_fields=["canal", "audience"],
        update_fields=["numero"],
    )
