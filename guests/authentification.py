"""X-Guest-Id as an actor, on the operations that list it."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication

from config.api.reseau import cle_adresse
from config.api.throttling import consommer
from config.domaine.acteurs import Acteur
from config.domaine.erreurs import ChampsInvalides
from guests.erreurs import SessionIntrouvable, SessionInvalide
from guests.services import exiger_etape, noter_activite, session_de


def acteur_invite(guest_id: UUID) -> Acteur:
    """The guest of an ACTIVE session, or the refusal that says why not."""
    session = session_de(guest_id)
    session.exiger_active()
    return Acteur(invite=session, guest_id=guest_id)


class AuthentificationInvite(BaseAuthentication):
    def authenticate(self, request: Any) -> tuple[Any, Acteur] | None:
        vue = request.parser_context.get("view")
        operation = getattr(vue, "operation", None)
        if operation is None or not operation.accepte_invite or not vue.invite_presente(request):
            return None
        exiger_etape("read" if request.method in ("GET", "HEAD") else "create")
        acteur = trouver(_guest_id(request, vue), request._request)
        noter_activite(acteur.invite)  # type: ignore[arg-type]
        return None, acteur


def trouver(guest_id: UUID, requete: Any) -> Acteur:
    """The actor; unknown ids are counted by address, and past the limit only they are refused."""
    try:
        return acteur_invite(guest_id)
    except SessionIntrouvable:
        consommer("guest_unknown", cle_adresse(requete))
        raise


def _guest_id(request: Any, vue: Any) -> UUID:
    valeurs = vue.identifiants_invites(request)
    if len({valeur.lower() for valeur in valeurs}) > 1:
        raise ChampsInvalides.pour(guestId=_("X-Guest-Id et guestId diffèrent : n'envoyez que l'un des deux."))
    try:
        if len(valeurs[0]) != 36:
            raise ValueError
        return UUID(valeurs[0])
    except ValueError as erreur:
        raise SessionInvalide from erreur
