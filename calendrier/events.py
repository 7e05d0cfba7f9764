from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from calendrier.models import EvenementCampus
from calendrier.serializers import (
    CalendrierAnnuleEvenement,
    CalendrierEvenement,
    CalendrierModifieEvenement,
    pour_participant,
    pour_tous,
)
from calendrier.signals import evenement_annule, evenement_cree, evenement_modifie, participations_changees
from socle.realtime.declarations import declarer
from socle.realtime.diffusion import publier

CANAL = "calendriers"

declarer("event_created", CalendrierEvenement, CANAL, quand=_("Un événement du calendrier est publié."))
declarer(
    "event_updated",
    CalendrierModifieEvenement,
    CANAL,
    "user:{id}",
    quand=_(
        "Un événement du calendrier change, ou ses places ; sur `user:{id}`, la participation de ce compte change."
    ),
)
declarer(
    "event_cancelled",
    CalendrierAnnuleEvenement,
    CANAL,
    "user:{id}",
    quand=_("Un événement du calendrier est annulé ; sur `user:{id}`, à qui y est inscrit."),
)


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
