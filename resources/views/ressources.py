from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from resources import serializers as formes
from resources.filters import RessourceFiltre
from resources.models import Ressource
from resources.permissions import exiger_d_ajouter, ressource_a_supprimer, ressource_accessible
from resources.services import ressources as services
from socle.api.champs import MOTIF_UUID
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer


class RessourceViewSet(ApiViewSet):
    etiquette = "Ressources"
    lookup_url_kwarg = "resource_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Ajouter un document à la bibliothèque"),
        _("Ressource ajoutée."),
        entree=formes.RessourceUpload,
        sortie=formes.RessourceDetail,
        statut=201,
        relire=lambda acteur, pk: ressource_accessible(pk),
        televersement=True,
        droit=Droit.RESSOURCES_AJOUTER,
        description=_(
            "Le type, jugé par le contenu, est un de ceux de `resourceMimeTypes` (`/config`), sinon 415. Les "
            "images perdent leurs métadonnées (HEIC devient JPEG), le reste est gardé tel quel."
        ),
    )
    @action(detail=False, methods=["post"])
    def upload(self, request: Any) -> Any:
        exiger_d_ajouter(self.acteur)
        consommer("upload", self.acteur.cle)
        donnees = self.donnees()
        envoye = donnees.pop("file")
        return self.rendre(services.televerser_ressource(acteur=self.acteur, envoye=envoye, **donnees))

    @operation(
        _("Ajouter une ressource"),
        _("Ressource ajoutée."),
        entree=formes.RessourceCreate,
        sortie=formes.RessourceDetail,
        statut=201,
        relire=lambda acteur, pk: ressource_accessible(pk),
        droit=Droit.RESSOURCES_AJOUTER,
        erreurs=(409,),
        description=_(
            "D'un de ses fichiers, ou d'une adresse (`publicUrl`). `fileId` d'un autre : 403 ; d'un fichier joint "
            "à un signalement anonyme : 409 FILE_IN_USE."
        ),
    )
    def create(self, request: Any) -> Any:
        exiger_d_ajouter(self.acteur)
        return self.rendre(services.ajouter(acteur=self.acteur, **self.donnees()))

    @operation(
        _("La bibliothèque"),
        _("Ressources."),
        sortie=formes.RessourceDetail,
        page=True,
        filtres=RessourceFiltre,
        droit=Droit.RESSOURCES_CONSULTER,
    )
    def list(self, request: Any) -> Any:
        return self.paginer(Ressource.objects.pour_lecture())

    @operation(_("Une ressource"), _("Ressource."), sortie=formes.RessourceDetail, droit=Droit.RESSOURCES_CONSULTER)
    def retrieve(self, request: Any, resource_id: str) -> Any:
        return self.rendre(ressource_accessible(resource_id))

    @operation(
        _("Supprimer une ressource"),
        _("Ressource supprimée."),
        droit=Droit.RESSOURCES_AJOUTER,
        etat="retrieve",
        sortie=formes.RessourceSupprimee,
        erreurs=(403,),
        description=_("Par qui l'a ajoutée, ou par l'équipe. Elle est ensuite introuvable pour tous."),
    )
    def destroy(self, request: Any, resource_id: str) -> Any:
        ressource = ressource_a_supprimer(self.acteur, resource_id)
        services.supprimer(ressource=ressource, acteur=self.acteur)
        return self.rendre(ressource)
