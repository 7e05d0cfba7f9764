"""The two classes of DRF that hold a request to its operation: who may send it, and how often."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.throttling import BaseThrottle

from socle.api.operations import Acces
from socle.domaine.acteurs import Acteur
from socle.domaine.limites import consommer
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


class LimitesDeLOperation(BaseThrottle):
    def allow_request(self, request: Any, view: Any) -> bool:
        """Count it in each limit that the view names; TropDeRequetes (429) above one, with the time to wait.

        What is left is told of a limit of the caller's alone: that of an address would tell of a neighbour.
        """
        siens = request.auth and request.auth.cle
        for portee, cle in view.limites(request):
            reste = consommer(portee, cle)
            if cle == siens:
                view.reste = reste
        return True
