from typing import Any
from uuid import UUID

from django.dispatch import receiver

from calendrier.models import EvenementCampus
from calendrier.serializers import pour_participant, pour_tous
from calendrier.signals import evenement_annule, evenement_cree, evenement_modifie, participations_changees
from socle.realtime.diffusion import publier

CANAL = "calendriers"


@receiver(evenement_cree)
def publier_creation(sender: Any, evenement: EvenementCampus, **kwargs: Any) -> None:
    publier("event_created", [CANAL], pour_tous(evenement))


@receiver(evenement_modifie)
def publier_modification(sender: Any, evenement: EvenementCampus, **kwargs: Any) -> None:
    publier("event_updated", [CANAL], pour_tous(evenement))


@receiver(evenement_annule)
def publier_annulation(sender: Any, evenement: EvenementCampus, comptes: list[UUID], **kwargs: Any) -> None:
    publier("event_cancelled", [CANAL, *_leurs_canaux(comptes)], {"id": str(evenement.pk)})


@receiver(participations_changees)
def prevenir_les_personnes(
    sender: Any, evenement: EvenementCampus, statut: str, comptes: list[UUID], **kwargs: Any
) -> None:
    publier("event_updated", _leurs_canaux(comptes), pour_participant(evenement, statut))


def _leurs_canaux(comptes: list[UUID]) -> list[str]:
    return [f"user:{compte}" for compte in comptes]
