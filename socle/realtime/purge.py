"""Retention of events: delete the old ones, and keep high-water marks that tell a late reader to refresh."""

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
    """Raise `dernier_purge` first, alone: numbering waits for that row's lock, and a hanging purge must not hold it."""
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
    """Raise the marks of the channels of these events alone: only their readers have missed some."""
    derniers = anciens.order_by("canal", "audience").values("canal", "audience").annotate(dernier=Max("numero"))
    CanalEfface.objects.bulk_create(
        [CanalEfface(canal=d["canal"], audience=d["audience"], numero=d["dernier"]) for d in derniers],
        update_conflicts=True,
        unique_fields=["canal", "audience"],
        update_fields=["numero"],
    )
