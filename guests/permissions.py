from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from guests.erreurs import CleRequise, SessionIntrouvable
from guests.models import SessionInvitee
from guests.services import session_de
from signalements.models import Signalement
from signalements.permissions import signalement_accessible
from socle.api.champs import Identifiant
from socle.api.rejeu import cle_presentee
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, CleMalformee, PermissionRefusee


def session_connue(guest_id: Any, requete: HttpRequest) -> SessionInvitee:
    """Session of a guest id, or 404; unknown ids count against a limit by address, past which only they get 429."""
    try:
        return session_de(guest_id)
    except SessionIntrouvable:
        consommer("guest_unknown", cle_adresse(requete))
        raise


def compte_vise(request: Any) -> dict[str, Any]:
    """Arguments of a preview: the account of the bearer, else the mere `userId` of the query, never looked up."""
    demande = request.query_params.get("userId", "").strip()
    if request.auth is not None:
        compte = request.auth.compte
        if demande and demande.lower() != str(compte.pk):
            raise PermissionRefusee
        return {"compte": compte, "user_id": compte.pk}
    if not demande:
        raise ChampsInvalides.pour("required", userId=_("Connectez-vous, ou dites pour quel compte."))
    try:
        return {"compte": None, "user_id": Identifiant().run_validation(demande)}
    except ValidationError as refus:
        raise ChampsInvalides.pour(userId=str(refus.detail[0])) from refus  # type: ignore[index]


def dossier_a_juger(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door to a case whose guest session is decided on: 403 on one's own, of which one is the owner alone."""
    signalement = signalement_accessible(acteur, pk)
    if acteur.possede(signalement):
        raise PermissionRefusee
    return signalement


def cle_de(request: Any) -> str:
    """The Idempotency-Key of a request, or the refusal that asks for one."""
    try:
        cle = cle_presentee(request)
    except CleMalformee as refus:
        raise CleRequise from refus
    if cle is None:
        raise CleRequise
    return cle
