from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from personnes.exports.envoi import exporter
from socle.api.operations import Acces, operation
from socle.api.renderers import ArchiveRenderer
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit

CONTENU = _(
    "Un ZIP de JSON et de fichiers, écrit à mesure qu'il part : ce que la personne lit elle-même dans le service, rien "
    "de l'équipe, ni identifiant invité, ni jeton. Six par heure, un à la fois (429)."
)


class ExportDuCompteViewSet(ApiViewSet):
    etiquette = "Comptes"

    @operation(
        _("Télécharger mes données"),
        _("Vos données."),
        droit=Droit.COMPTES_CONSULTER_LE_SIEN,
        rendu=ArchiveRenderer,
        description=CONTENU,
    )
    @action(detail=False, methods=["get"])
    def export(self, request: Any) -> Any:
        return exporter(self.acteur, sans_corps=request.method == "HEAD")


class ExportDeLInviteViewSet(ApiViewSet):
    etiquette = "Mode invité"

    @operation(
        _("Télécharger les données de sa session invitée"),
        _("Vos données."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        rendu=ArchiveRenderer,
        description=CONTENU,
    )
    @action(detail=False, methods=["get"])
    def export(self, request: Any) -> Any:
        return exporter(self.acteur, sans_corps=request.method == "HEAD")
