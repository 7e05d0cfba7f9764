from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action

from socle.api.champs import MOTIF_UUID
from socle.api.operations import Acces, operation
from socle.api.renderers import FichierRenderer
from socle.api.viewsets import ApiViewSet
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from stats.exports import services
from stats.exports.envoi import envoyer
from stats.exports.permissions import export_accessible, export_du_lien
from stats.exports.serializers import ExportCreate, ExportDetail

JETON = OpenApiParameter("jeton", str, required=True, description=_("Donné avec l'adresse, pour une heure."))


class DemandeExportViewSet(ApiViewSet):
    etiquette = "Statistiques"

    @operation(
        _("Exporter des signalements"),
        _("Export demandé."),
        nom="demander_un_export",
        droit=Droit.STATS_EXPORTER,
        entree=ExportCreate,
        sortie=ExportDetail,
        statut=201,
        relire=export_accessible,
        corps_facultatif=True,
        description=_(
            "En CSV (UTF-8 avec marque, `;`) ou XLSX, qui garde « 00123 » comme un texte, où un tableur fait un nombre "
            "de celui d'un CSV. Sous les filtres de la liste ; les titres des colonnes sont dans la langue du compte "
            "(`langue` de ses préférences), les cellules n'en dépendent pas. "
            "Un petit export est PRET dans la réponse ; "
            "un grand s'écrit en arrière-plan : EN_COURS, puis `export_ready` sur `user:{id}`. `downloadUrl` "
            "ouvre le fichier sans autre identifiant, pendant une heure ; le fichier est gardé 24 heures."
        ),
    )
    @action(detail=False, methods=["post"])
    def export(self, request: Any) -> Any:
        demande = self.donnees()
        consommer("export", self.acteur.cle)  # of two at once under one key, each has its work done
        return self.rendre(services.demander(acteur=self.acteur, **demande))


class ExportViewSet(ApiViewSet):
    etiquette = "Statistiques"
    lookup_url_kwarg = "export_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Où en est un export"),
        _("Export."),
        nom="etat_d_un_export",
        droit=Droit.STATS_EXPORTER,
        sortie=ExportDetail,
        description=_("Pour qui l'a demandé, ou un administrateur. `downloadUrl` est neuf à chaque lecture."),
    )
    def retrieve(self, request: Any, export_id: str) -> Any:
        return self.rendre(export_accessible(self.acteur, export_id))

    @operation(
        _("Télécharger un export"),
        _("Le fichier, en pièce jointe."),
        nom="fichier_d_un_export",
        acces=Acces.PUBLIC,
        rendu=FichierRenderer,
        parametres=(JETON,),
        renvoi=_("Le fichier est dans un seau : son adresse là-bas, pour une minute."),
        erreurs=(403, 409),
        description=_(
            "L'adresse entière est donnée par `downloadUrl` ; elle ne se compose pas. 409 tant que rien "
            "n'est prêt (EXPORT_NOT_READY) ou quand l'écriture a échoué (EXPORT_FAILED), 404 quand le fichier est "
            "retiré."
        ),
    )
    @action(detail=True, methods=["get"])
    def fichier(self, request: Any, export_id: str) -> Any:
        export = export_du_lien(export_id, request.query_params.get("jeton", ""))
        consigner(Acte.EXPORT_TELECHARGE, par=None, objet=export.pk, sorte=Sorte.EXPORT)
        return envoyer(export)
