from guests.models import SessionInvitee
from guests.services import ouvrir


def session_invitee(telephone: str = "+243812345621") -> SessionInvitee:
    return ouvrir(telephone=telephone)
