"""Notices whose mail is due and has not left, for operators."""

from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from avis.models import Avis
from socle.api.releve import jauges_de_la_base
from socle.courriel import est_remis


@jauges_de_la_base("avis")
def avis_en_retard() -> Metric:
    """None where no mail is delivered: nothing is late that nobody makes."""
    dus = Avis.objects.filter(est_adresse=True, date_envoi__isnull=True, du__lte=timezone.now())
    nombre = dus.count() if est_remis() else 0
    return GaugeMetricFamily(
        "campus_notices_waiting", "Avis dont l'heure est venue, et dont l'e-mail n'est pas parti.", value=nombre
    )
