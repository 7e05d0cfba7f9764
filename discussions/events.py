from typing import Any
from uuid import UUID

from django.dispatch import receiver

from discussions.models import Discussion, Message
from discussions.serializers import discussion_pour_autrui, message_pour_autrui
from discussions.signals import discussion_ouverte, discussions_jointes, message_ecrit, messages_lus
from socle.realtime.diffusion import publier, rediriger


@receiver(discussion_ouverte)
def publier_ouverture(sender: Any, discussion: Discussion, **kwargs: Any) -> None:
    du_dossier = [f"signalement:{discussion.signalement_id}"] if discussion.signalement_id else []
    publier("discussion_created", ["discussions", *du_dossier], discussion_pour_autrui(discussion))


@receiver(message_ecrit)
def publier_message(sender: Any, message: Message, discussion: Discussion, **kwargs: Any) -> None:
    publier("message_created", [_canal(discussion.pk)], message_pour_autrui(message))


@receiver(messages_lus)
def publier_lectures(sender: Any, discussion: Discussion, messages: list[Any], **kwargs: Any) -> None:
    payloads = [{"messageId": str(message), "estLu": True} for message in messages]
    publier("message_read", [_canal(discussion.pk)], *payloads)


@receiver(discussions_jointes)
def mener_leurs_canaux(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    rediriger({_canal(de): _canal(vers) for de, vers in chemins.items()})


def _canal(pk: UUID) -> str:
    return f"discussion:{pk}"
