from django.utils import timezone

from accounts.models import Compte
from guests.models import SessionInvitee
from guests.services import ouvrir
from guests.vocabulaire import StatutInvite


def session_invitee(telephone: str = "+243812345621") -> SessionInvitee:
    return ouvrir(telephone=telephone)


def fusionner(session: SessionInvitee, compte: Compte) -> None:
    """As a merge leaves the session."""
    session.statut, session.fusionnee_dans, session.date_fusion = StatutInvite.MERGED, compte, timezone.now()
    session.enregistrer("statut", "fusionnee_dans", "date_fusion")
