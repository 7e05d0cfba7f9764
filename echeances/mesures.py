"""Promised days that have passed, for operators: numbers, never which cases."""

from datetime import timedelta
from typing import Any

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from echeances.vocabulaire import JOUR_DE_L_ETAPE, Etape
from signalements.lecteurs import sans_recours
from signalements.models import Signalement
from socle.api.releve import jauges_de_la_base
from socle.domaine.temps import jour_du_campus


@jauges_de_la_base("dates")
def dates_depassees() -> Metric:
    mesure = GaugeMetricFamily(
        "campus_deadlines_overdue",
        "Dossiers dont une date promise est passée ; de ceux-ci, ceux qu'aucun administrateur ne peut ouvrir.",
        labels=["recours"],
    )
    toutes = Signalement.objects.vivants().en_retard().order_by().count()
    perdues = oubliees().count()
    mesure.add_metric(["oui"], toutes - perdues)
    mesure.add_metric(["non"], perdues)
    return mesure


def oubliees() -> Any:
    """Cases of which the last step is due, and no administrator could be told: all are shut out."""
    limite = jour_du_campus() - timedelta(days=JOUR_DE_L_ETAPE[Etape.SIGNALEE])
    return sans_recours().filter(prochaine_echeance__lte=limite)
