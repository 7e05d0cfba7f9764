from typing import Any

from django.http import HttpRequest

from config.api.reseau import cle_adresse
from config.api.throttling import consommer
from guests.erreurs import SessionIntrouvable
from guests.models import SessionInvitee
from guests.services import session_de


def session_connue(guest_id: Any, requete: HttpRequest) -> SessionInvitee:
    """The session an id opens; unknown ids are counted by address, and past the limit only they are refused."""
    try:
        return session_de(guest_id)
    except SessionIntrouvable:
        consommer("guest_unknown", cle_adresse(requete))
        raise
