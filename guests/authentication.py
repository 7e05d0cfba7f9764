"""X-Guest-Id as an actor, on the operations that list it."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication

from guests.erreurs import IdentifiantMalforme
from guests.models import SessionInvitee, lire_guest_id
from guests.permissions import session_connue
from guests.services import exiger_etape, noter_activite
from socle.domaine.acteurs import Acteur, ActeurInvite
from socle.erreurs import ChampsInvalides

LIT_OU_RETIRE = ("GET", "HEAD", "DELETE")  # no stage holds a guest to what they gave


def acteur_invite(session: SessionInvitee) -> Acteur:
    """The guest of an ACTIVE session, or the refusal that says why not."""
    session.exiger_active()
    return ActeurInvite(invite=session, guest_id=session.guest_id)


class AuthentificationInvite(BaseAuthentication):
    def authenticate(self, request: Any) -> tuple[Any, Acteur] | None:
        vue = request.parser_context.get("view")
        operation = getattr(vue, "operation", None)
        if operation is None or not operation.accepte_invite or not vue.invite_presente(request):
            return None
        exiger_etape("read" if request.method in LIT_OU_RETIRE else "create")
        session = session_connue(_guest_id(vue.identifiants_invites(request)), vue.requete)
        acteur = acteur_invite(session)
        noter_activite(session)
        return None, acteur


def _guest_id(presentes: list[str]) -> UUID:
    if len({valeur.lower() for valeur in presentes}) > 1:
        raise ChampsInvalides.pour(guestId=_("X-Guest-Id et guestId diffèrent : n'envoyez que l'un des deux."))
    lu = lire_guest_id(presentes[0])
    if lu is None:
        raise IdentifiantMalforme
    return lu
