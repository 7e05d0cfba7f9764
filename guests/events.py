from typing import Any

from django.dispatch import receiver

from config.domaine.roles import EQUIPE
from config.realtime.diffusion import fermer_sockets
from guests.models import SessionInvitee
from guests.signals import fusion_reprise, session_desactivee, session_fusionnee


@receiver(session_desactivee)
def fermer_ses_sockets(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    fermer_sockets(invites=[session.pk])


@receiver(session_fusionnee)
def fermer_les_sockets_de_la_fusion(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    """A member of staff hears what has become their own as its owner: their sockets are opened anew."""
    compte: Any = session.fusionnee_dans
    fermer_sockets(invites=[session.pk], comptes=[compte.pk] if compte.role in EQUIPE else [])


@receiver(fusion_reprise)
def fermer_les_sockets_du_compte(sender: Any, compte: Any, **kwargs: Any) -> None:
    """Some of them listen to what is the guest's again."""
    fermer_sockets(comptes=[compte.pk])
