from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from config.api.operations import Acces, Operation
from config.api.throttling import consommer
from config.api.viewsets import ApiViewSet
from guests import serializers as formes
from guests import services
from guests.permissions import session_connue
from signalements.models import Signalement
from signalements.permissions import signalement_par_reference


class SessionInviteeViewSet(ApiViewSet):
    etiquette = "Mode invité"
    lookup_url_kwarg = "guestId"
    lookup_value_regex = "[^/]+"
    operations = {
        "create": Operation(
            "Ouvrir une session invitée",
            _("Session ouverte. Gardez votre identifiant : il ouvre votre dossier."),
            acces=Acces.PUBLIC,
            entree=formes.SessionCreate,
            sortie=formes.SessionOuverte,
            statut=201,
            limites=("guest_session_address",),
            erreurs=(403,),
            description="Ouvre toujours une nouvelle session : un numéro n'ouvre jamais une session existante.",
        ),
        "retrieve": Operation(
            "Consulter une session invitée",
            _("Session."),
            acces=Acces.PUBLIC,
            sortie=formes.SessionDetail,
            erreurs=(403,),
        ),
        "telephone": Operation(
            "Changer le numéro de téléphone",
            _("Numéro mis à jour."),
            acces=Acces.PUBLIC,
            entree=formes.TelephoneUpdate,
            sortie=formes.TelephoneChange,
            erreurs=(403, 409),
        ),
    }

    def create(self, request: Any) -> Any:
        services.exiger_etape("create")
        donnees = self.donnees()
        consommer("guest_session_phone", donnees["telephone"])
        return self.rendre(services.ouvrir(**donnees))

    def retrieve(self, request: Any, guestId: str) -> Any:
        services.exiger_etape("read")
        return self.rendre(self._session(guestId))

    @action(detail=True, methods=["patch"])
    def telephone(self, request: Any, guestId: str) -> Any:
        services.exiger_etape("create")
        session = self._session(guestId)
        session.exiger_autorisee()
        services.changer_telephone(session=session, **self.donnees())
        return self.rendre(session)

    def _session(self, guest_id: str) -> Any:
        return session_connue(guest_id, self.request._request)


class SuiviViewSet(ApiViewSet):
    etiquette = "Suivi invité"
    lookup_url_kwarg = "reference"
    lookup_value_regex = "[0-9A-Za-z-]+"  # what no reference can hold never reaches a query: 404
    operations = {
        "list": Operation(
            "Suivre mes dossiers", _("Vos dossiers."), acces=Acces.INVITE, sortie=formes.SuiviResume, page=True
        ),
        "retrieve": Operation("Suivre un dossier", _("Votre dossier."), acces=Acces.INVITE, sortie=formes.SuiviDetail),
    }

    def list(self, request: Any) -> Any:
        return self.paginer(Signalement.objects.pour_lecture(self.acteur).de(self.acteur))

    def retrieve(self, request: Any, reference: str) -> Any:
        return self.rendre(signalement_par_reference(self.acteur, reference))
