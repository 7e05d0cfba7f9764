from datetime import timedelta

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from socle.audit.models import Sceau, Trace
from socle.audit.sceaux import RETARD, consigner_la_purge, sceller
from socle.taches.entretien import chaque_minute, purges


@chaque_minute("Sceaux du registre")
def sceaux() -> None:
    sceller()


@purges("Traces du registre")
def traces(*, simulation: bool) -> int:
    """Delete the oldest seals with all their traces: the chain then begins later, and a trace has said so before."""
    avant = timezone.now() - timedelta(days=settings.AUDIT_KEPT_DAYS)
    anciens = Sceau.objects.filter(date__lt=avant).order_by("numero")
    total, dernier = 0, None
    for sceau in anciens.iterator(chunk_size=50):
        # A row may be a little younger than its neighbours: the seal stays until the last may go.
        if (Trace.objects.filter(pk__in=sceau.traces).aggregate(n=Max("date"))["n"] or avant) >= avant - RETARD:
            break
        total, dernier = total + len(sceau.traces), sceau.numero
    if dernier is not None and not simulation:
        consigner_la_purge(dernier)
        for sceau in anciens.filter(numero__lte=dernier).iterator(chunk_size=50):
            Trace.objects.filter(pk__in=sceau.traces).delete()
            Sceau.objects.filter(pk=sceau.pk).delete()
    return total
