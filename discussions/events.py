from typing import Any
from uuid import UUID

from django.dispatch import receiver

from discussions.models import Discussion, Message
from discussions.serializers import discussion_pour_autrui, message_pour_autrui
from discussions.signals import (
    discussion_ouverte,
    discussions_effacees,
    discussions_jointes,
    message_ecrit,
    messages_lus,
)
from socle.realtime.diffusion import oublier_canaux, publier, rediriger


@receiver(discussion_ouverte)
def publier_ouverture(sender: Any, discussion: Discussion, **kwargs: Any) -> None:
    dossier = discussion.signalement
    du_dossier = [f"signalement:{dossier.pk}"] if dossier else []
    a_tous = ["discussions"] if dossier is None or dossier.est_ouvert_a_tous else []  # all of the staff hears it
    publier("discussion_created", [*a_tous, *du_dossier], discussion_pour_autrui(discussion))


@receiver(message_ecrit)
def publier_message(sender: Any, message: Message, discussion: Discussion, **kwargs: Any) -> None:
    publier("message_created", [_canal(discussion.pk)], message_pour_autrui(message))


@receiver(messages_lus)
def publier_lectures(sender: Any, discussion: Discussion, messages: list[Any], **kwargs: Any) -> None:
    payloads = [{"messageId": str(message), "estLu": True} for message in messages]
    publier("message_read", [_canal(discussion.pk)], *payloads)


@receiver(discussions_effacees)
def oublier_leurs_canaux(sender: Any, cles: list[UUID], **kwargs: Any) -> None:
    oublier_canaux(map(_canal, cles))


@receiver(discussions_jointes)
def mener_leurs_canaux(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    rediriger({_canal(de): _canal(vers) for de, vers in chemins.items()})


def _canal(pk: UUID) -> str:
    return f"discussion:{pk}"
