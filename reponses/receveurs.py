"""Receiver of a new case, which is acknowledged in its transaction."""

from typing import Any

from django.dispatch import receiver

from reponses.accuses import accuser
from signalements.models import Signalement
from signalements.signals import signalement_cree


@receiver(signalement_cree)
def accuser_reception(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    accuser(signalement)
