"""What ends an access: its guest session is merged or disabled."""

from typing import Any

from django.dispatch import receiver

from guests.models import SessionInvitee
from guests.signals import session_desactivee, session_fusionnee
from portail.services.acces import terminer_ceux_de


@receiver(session_desactivee)
def fermer_les_acces(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    terminer_ceux_de(session)


@receiver(session_fusionnee)
def fermer_les_acces_de_la_fusion(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    """Its code opens nothing while the session is merged, and opens it again if that is taken back."""
    terminer_ceux_de(session)
