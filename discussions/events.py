from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from discussions.models import Arriere, Discussion, Message, Releve
from discussions.serializers import (
    DiscussionEvenement,
    MessageDetail,
    MessageLuEvenement,
    discussion_pour_autrui,
    message_pour_autrui,
)
from discussions.signals import (
    discussion_ouverte,
    discussions_effacees,
    discussions_jointes,
    message_ecrit,
    messages_lus,
)
from equipes.signals import composition_changee
from signalements.models import Signalement
from signalements.signals import dossiers_rendus, equipe_changee, lecteurs_changes
from socle.realtime.declarations import declarer
from socle.realtime.diffusion import oublier_canaux, publier, rediriger

declarer(
    "discussion_created",
    DiscussionEvenement,
    "discussions",
    "signalement:{id}",
    quand=_("Une discussion s'ouvre sur ce dossier."),
)
declarer("message_created", MessageDetail, "discussion:{id}", quand=_("Un message est écrit."))
declarer("message_read", MessageLuEvenement, "discussion:{id}", quand=_("Un message est lu par qui ne l'a pas écrit."))


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


@receiver([lecteurs_changes, equipe_changee])
def revoir_ce_qui_en_est_lu(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _revoir([signalement])


@receiver(dossiers_rendus)
def revoir_ce_qui_est_lu_de_chacun(sender: Any, dossiers: list[Signalement], **kwargs: Any) -> None:
    _revoir(dossiers)


@receiver(composition_changee)
def recommencer_leurs_releves(sender: Any, gagnes: set[UUID], **kwargs: Any) -> None:
    Releve.objects.recommencer(gagnes)


def _revoir(dossiers: list[Signalement]) -> None:
    """Have the old messages of these cases be looked at again by whoever may read them now."""
    Arriere.objects.reprendre(list(Discussion.objects.order_by().vivants().filter(signalement__in=dossiers)))


def _canal(pk: UUID) -> str:
    return f"discussion:{pk}"
