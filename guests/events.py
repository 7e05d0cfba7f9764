from typing import Any

from django.dispatch import receiver

from config.realtime.diffusion import fermer_sockets
from guests.models import SessionInvitee
from guests.signals import session_desactivee, session_fusionnee


@receiver([session_desactivee, session_fusionnee])
def fermer_ses_sockets(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    fermer_sockets(invites=[session.pk])
