from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts import serializers as formes
from accounts.services import comptes
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import DESCRIPTIONS, DROITS, Droit, Role
from socle.erreurs import Introuvable


class PreferencesViewSet(ApiViewSet):
    etiquette = "Préférences"

    @operation(
        _("Mes préférences"),
        _("Vos préférences."),
        nom="retrieve",
        droit=Droit.PREFERENCES_MODIFIER,
        sortie=formes.PreferencesDetail,
    )
    def list(self, request: Any) -> Any:
        return self.rendre(comptes.preferences_de(self.compte))

    @operation(
        _("Modifier mes préférences"),
        _("Préférences mises à jour."),
        nom="update",
        droit=Droit.PREFERENCES_MODIFIER,
        etat="list",
        entree=formes.PreferenceUpdate,
        sortie=formes.PreferencesDetail,
        erreurs=(409,),
        description=_(
            "`avisDossiers` demande une adresse vérifiée (422) ; `avisEvenements` et `avisPublications` comme lui, un "
            "serveur d'e-mail (409 `MAILS_NON_REMIS`). `paraitAuPortail` est pour l'équipe (422). Un refus ne change "
            "rien."
        ),
    )
    def replace(self, request: Any) -> Any:
        return self.rendre(comptes.modifier_preferences(compte=self.compte, **self.donnees()))


class RoleViewSet(ApiViewSet):
    etiquette = "Rôles"
    lookup_url_kwarg = "nom"
    lookup_value_regex = "[^/]+"

    @operation(_("Lister les rôles"), _("Rôles."), droit=Droit.ROLES_CONSULTER, sortie=formes.RoleDetail, liste=True)
    def list(self, request: Any) -> Any:
        return self.rendre([{"nom": r, "libelle": r.label, "description": DESCRIPTIONS[r]} for r in Role])

    @operation(_("Droits d'un rôle"), _("Droits du rôle."), droit=Droit.ROLES_CONSULTER, sortie=formes.RolePermissions)
    @action(detail=True, methods=["get"])
    def permissions(self, request: Any, nom: str) -> Any:
        if nom not in DROITS:
            raise Introuvable
        return self.rendre({"role": nom, "permissions": sorted(DROITS[nom])})
