from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from socle.realtime.purge import purger
from socle.taches.entretien import purges


@purges("Événements diffusés")
def evenements(*, simulation: bool) -> int:
    avant = timezone.now() - timedelta(hours=settings.EVENEMENTS_CONSERVES_HEURES)
    return purger(avant, simulation=simulation)
