from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts import serializers as formes
from accounts.filters import InvitationFiltre
from accounts.models import Invitation
from accounts.permissions import invitation_connue
from accounts.services import invitations
from socle.api.champs import MOTIF_UUID
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class InvitationViewSet(ApiViewSet):
    etiquette = "Invitations"
    lookup_url_kwarg = "invitation_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Inviter"),
        _("Invitation envoyée."),
        droit=Droit.INVITATIONS_GERER,
        entree=formes.InvitationCreate,
        sortie=formes.InvitationDetail,
        statut=201,
        relire=lambda acteur, pk: invitation_connue(pk),
        erreurs=(409,),
        description=_("Révoque l'invitation en attente de la même adresse."),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(invitations.inviter(par=self.compte, **self.donnees()))

    @operation(
        _("Lister les invitations"),
        _("Invitations."),
        droit=Droit.INVITATIONS_GERER,
        sortie=formes.InvitationDetail,
        page=True,
        filtres=InvitationFiltre,
    )
    def list(self, request: Any) -> Any:
        return self.paginer(Invitation.objects.pour_lecture())

    @operation(
        _("Révoquer une invitation"),
        _("Invitation révoquée."),
        droit=Droit.INVITATIONS_GERER,
        statut=204,
        erreurs=(409,),
    )
    def destroy(self, request: Any, invitation_id: str) -> Any:
        invitations.revoquer(invitation=invitation_connue(invitation_id), par=self.compte)
        return self.rendre()

    @operation(
        _("Renvoyer une invitation"),
        _("Invitation renvoyée."),
        droit=Droit.INVITATIONS_GERER,
        sortie=formes.InvitationDetail,
        erreurs=(409,),
        description=_("Avec une nouvelle date ; le lien précédent ne vaut plus."),
    )
    @action(detail=True, methods=["post"])
    def renvoyer(self, request: Any, invitation_id: str) -> Any:
        invitation = invitation_connue(invitation_id)
        invitations.renvoyer(invitation=invitation, par=self.compte)
        return self.rendre(invitation)
