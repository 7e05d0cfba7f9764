"""The permission class of every view: an actor is present, of the admitted kind, with the operation's right."""

from typing import Any

from rest_framework.permissions import BasePermission

from socle.api.operations import Acces
from socle.domaine.acteurs import Acteur
from socle.erreurs import NonAuthentifie, PermissionRefusee


class AccesOperation(BasePermission):
    """Check the actor against the operation: NonAuthentifie (401) without one, else PermissionRefusee (403)."""

    def has_permission(self, request: Any, view: Any) -> bool:
        operation = view.operation
        acteur: Acteur | None = request.auth
        if acteur is None:
            if operation.exige_un_acteur:
                raise NonAuthentifie
            return True
        if operation.acces is Acces.INVITE and not acteur.est_invite:
            raise PermissionRefusee
        if operation.droit and not acteur.peut(operation.droit):
            raise PermissionRefusee
        return True
