from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.filters import TraceFiltre
from accounts.lectures import traces
from accounts.serializers import TraceDetail
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.audit.registre import consulter_le_registre
from socle.domaine.droits import Droit


class AuditViewSet(ApiViewSet):
    etiquette = "Registre"

    def lues(self, lignes: list[Any], filtres: dict[str, Any]) -> None:
        consulter_le_registre(self.acteur, {nom: str(valeur) for nom, valeur in filtres.items() if valeur})

    @operation(
        _("Registre de ce que fait l'équipe"),
        _("Registre."),
        droit=Droit.REGISTRE_CONSULTER,
        sortie=TraceDetail,
        page=True,
        filtres=TraceFiltre,
        description=_(
            "Qui a ouvert ou trouvé quel dossier, quand, d'où ; connexions de l'équipe et leurs refus, rôles, comptes, "
            "invitations, exports, sessions invitées désactivées, réglages. Le plus récent d'abord. Une lecture s'y "
            "trouve une seconde après, la même dans la minute (dans l'heure pour une liste) n'y est qu'une fois. "
            "`objetId` est le dossier, pour ce qui en fait partie. Ce qui concerne ses propres dossiers n'y est pas. "
            "Consulter le registre s'y écrit aussi."
        ),
    )
    def list(self, request: Any) -> Any:
        return self.paginer(traces(self.acteur))
