from typing import Any

from django.dispatch import receiver

from config.realtime.diffusion import fermer_sockets
from guests.models import SessionInvitee
from guests.signals import session_desactivee


@receiver(session_desactivee)
def fermer_ses_sockets(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    fermer_sockets(invites=[session.pk])
