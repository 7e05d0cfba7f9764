from typing import Any

from django.dispatch import receiver

from config.realtime.diffusion import publier
from discussions.models import Discussion, Message
from discussions.serializers import discussion_pour_autrui, message_pour_autrui
from discussions.signals import discussion_ouverte, message_ecrit, messages_lus


@receiver(discussion_ouverte)
def publier_ouverture(sender: Any, discussion: Discussion, **kwargs: Any) -> None:
    du_dossier = discussion.signalement.canaux("signalement") if discussion.signalement else []
    publier("discussion_created", ["discussions", *du_dossier], discussion_pour_autrui(discussion))


@receiver(message_ecrit)
def publier_message(sender: Any, message: Message, discussion: Discussion, **kwargs: Any) -> None:
    publier("message_created", discussion.canaux("discussion"), message_pour_autrui(message, discussion))


@receiver(messages_lus)
def publier_lectures(sender: Any, discussion: Discussion, messages: list[Any], **kwargs: Any) -> None:
    payloads = [{"messageId": str(message), "estLu": True} for message in messages]
    publier("message_read", discussion.canaux("discussion"), *payloads)
