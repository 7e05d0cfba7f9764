"""What ends an access, its guest session or its account's session having ended; what administrators are told."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver
from django.utils.translation import gettext as _

from accounts.models import Session
from accounts.signals import sessions_terminees
from guests.models import SessionInvitee
from guests.signals import session_desactivee, session_fusionnee
from portail.services.acces import fermer_ceux_des_sessions, oublier_les_liens, terminer_ceux_de
from portail.signals import acces_fermes, codes_essayes
from socle.domaine.langue import en_francais
from socle.realtime.diffusion import fermer_sockets, publier


@receiver(session_desactivee)
def fermer_les_acces(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    terminer_ceux_de(session)
    oublier_les_liens(session)


@receiver(session_fusionnee)
def fermer_les_acces_de_la_fusion(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    """Its code opens nothing while the session is merged, and opens it again if that is taken back."""
    terminer_ceux_de(session)
    oublier_les_liens(session)


@receiver(sessions_terminees, sender=Session)
def fermer_les_acces_d_un_compte(sender: Any, session_ids: Any, **kwargs: Any) -> None:
    fermer_ceux_des_sessions(session_ids)


@receiver(acces_fermes)
def fermer_leurs_sockets(sender: Any, acces_ids: Any, **kwargs: Any) -> None:
    fermer_sockets(sessions=acces_ids)


@receiver(codes_essayes)
def alerter_l_administration(sender: Any, nombre: int, **kwargs: Any) -> None:
    with transaction.atomic(), en_francais():
        message = _("%(n)d codes du portail faux en moins d'une heure : quelqu'un en essaie peut-être au hasard.")
        publier("system_alert", ["admin"], {"niveau": "SECURITE", "message": message % {"n": nombre}})
