from datetime import timedelta
from typing import Any

from django.utils import timezone

from avis.entretien import dire_ce_qui_s_est_passe
from avis.models import Avis
from socle.taches.tests.outils import faire_les_taches

TOUT_DE_SUITE = timedelta(minutes=6)  # more than the chance that is added
UN_JOUR = timedelta(hours=25)


def passer(time_machine: Any, duree: timedelta) -> None:
    """The worker's minute now, then after this long."""
    dire_ce_qui_s_est_passe()
    time_machine.move_to(timezone.now() + duree, tick=False)
    dire_ce_qui_s_est_passe()
    faire_les_taches()


def dits(**filtres: Any) -> set[tuple[str, str]]:
    """(first name, nature) of the notices that are addressed."""
    lignes = Avis.objects.filter(est_adresse=True, **filtres)
    return set(lignes.values_list("destinataire__prenom", "nature"))
