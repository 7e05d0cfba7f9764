from datetime import timedelta

from django.utils import timezone

from forum.models import DemandeDeRelecture
from socle.taches.entretien import purges, supprimer

GARDE = timedelta(days=90)


@purges("Demandes de relecture du forum, décidées depuis trois mois")
def demandes_decidees(*, simulation: bool) -> int:
    lignes = DemandeDeRelecture.objects.filter(date_fin__lt=timezone.now() - GARDE)
    return supprimer(lignes, simulation=simulation)
