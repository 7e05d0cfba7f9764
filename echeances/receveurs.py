"""Receivers of the acts on cases that give dates, and of the messages that keep them."""

from typing import Any

from django.dispatch import receiver

from discussions.models import Discussion, Message
from discussions.signals import message_ecrit
from echeances.services import inscrire, repondre
from signalements.models import Signalement
from signalements.signals import signalement_cree


@receiver(signalement_cree)
def inscrire_les_dates(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    inscrire(signalement)


@receiver(message_ecrit)
def tenir_ce_qui_est_promis(
    sender: Any, message: Message, discussion: Discussion, retour: bool, tient_le_dossier: bool, **kwargs: Any
) -> None:
    dossier = discussion.signalement
    de_l_auteur = discussion.titulaire in (message.compte_id, message.invite_id)
    if dossier is not None and tient_le_dossier and dossier.attend_un_message and not de_l_auteur:
        repondre(dossier, message, retour=retour)
