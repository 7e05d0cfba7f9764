import logging
from typing import Any

from django.http import FileResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action

from resources import serializers as formes
from resources import stockage
from resources.models import Fichier
from resources.permissions import fichier_a_supprimer, fichier_accessible, part_de_l_adresse
from resources.services import fichiers as services
from socle.api.champs import MOTIF_UUID
from socle.api.operations import Acces, operation
from socle.api.renderers import FichierRenderer
from socle.api.reseau import cle_adresse
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import Introuvable

journal = logging.getLogger("campus.fichiers")
JETON = OpenApiParameter("jeton", str, required=True, description=_("Donné avec l'adresse, pour une heure."))


class FichierViewSet(ApiViewSet):
    etiquette = "Fichiers"
    lookup_url_kwarg = "file_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Envoyer un fichier"),
        _("Fichier reçu."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.FICHIERS_TELEVERSER,
        entree=formes.FichierCreate,
        sortie=formes.FichierDetail,
        statut=201,
        relire=fichier_accessible,
        televersement=True,
        description=_(
            "Le type est jugé par le contenu. JPEG, PNG, WebP, HEIC (rendu en JPEG, son nom aussi), PDF, MP4, DOCX, "
            "XLSX, PPTX, ODT, ODS et ODP perdent lieu, appareil, auteur, historique et contenu caché avant d'être "
            "gardés ; un tel fichier qui ne peut être nettoyé est refusé (422). Les autres images qui peuvent porter "
            "un lieu (AVIF, TIFF, brutes) et les programmes sont refusés (415) ; un raccourci ou un lien vers un "
            "document aussi (422, `link`). Le reste (sons, textes, archives, DOC, XLS, PPT, RTF, GIF) est gardé tel "
            "quel : `metadonneesRetirees` vaut alors `false`, dites-le avant l'envoi. "
            "Au-delà de la place accordée : 413 QUOTA_EXCEEDED ; de celle que les sessions invitées d'une adresse "
            "partagent en un jour : 429. Joignez-le : un fichier qui n'est joint à rien est retiré après quelques "
            "jours."
        ),
    )
    @action(detail=False, methods=["post"])
    def upload(self, request: Any) -> Any:
        consommer("upload", self.acteur.cle)
        envoye = self.donnees()["file"]
        with part_de_l_adresse(self.acteur, cle_adresse(self.requete), envoye.size):
            return self.rendre(services.televerser(acteur=self.acteur, envoye=envoye))

    @operation(
        _("Un fichier"),
        _("Fichier."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.FICHIERS_CONSULTER,
        sortie=formes.FichierDetail,
        description=_(
            "Pour qui l'a envoyé et, dès qu'il est joint, pour l'équipe et pour qui peut lire ce à quoi il l'est. "
            "`url` ouvre le fichier sans autre identifiant, pendant une heure. Qui l'a envoyé en lit le nom ; les "
            "autres, un nom neutre, tant qu'il n'est joint qu'à un signalement anonyme. Pour l'équipe, un fichier "
            "joint à rien, ou à un dossier dont on est écarté, est un 404, comme un identifiant inconnu."
        ),
    )
    def retrieve(self, request: Any, file_id: str) -> Any:
        return self.rendre(fichier_accessible(self.acteur, file_id))

    @operation(
        _("Supprimer un fichier"),
        _("Fichier supprimé."),
        droit=Droit.FICHIERS_TELEVERSER,
        statut=204,
        erreurs=(403, 409),
        description=_(
            "Par qui l'a envoyé, s'il n'est joint à rien ; par un administrateur dès qu'il le lit, sauf dans son "
            "propre dossier. Joint à un signalement, un message ou une publication, il est introuvable aussitôt, "
            "gardé un temps, et le dossier dit qu'il a été supprimé (PIECE_SUPPRIMEE)."
        ),
    )
    def destroy(self, request: Any, file_id: str) -> Any:
        services.supprimer(fichier=fichier_a_supprimer(self.acteur, file_id), acteur=self.acteur)
        return self.rendre()

    @operation(
        _("Télécharger un fichier"),
        _("Le fichier, en pièce jointe."),
        acces=Acces.PUBLIC,
        rendu=FichierRenderer,
        parametres=(JETON,),
        erreurs=(403,),
        description=_("L'adresse entière est donnée par `url` ; elle ne se compose pas."),
    )
    @action(detail=True, methods=["get"])
    def contenu(self, request: Any, file_id: str) -> Any:
        fichier = Fichier.objects.presents().filter(pk=file_id).first()
        if fichier is None:
            raise Introuvable
        return _envoyer(fichier, stockage.nom_du_lien(fichier, request.query_params.get("jeton", "")))


def _envoyer(fichier: Fichier, nom: str) -> FileResponse:
    """Stream it as an attachment, under a type that no browser runs; 404 where the store has lost it."""
    try:
        contenu = stockage.ouvrir(fichier)
    except FileNotFoundError as perdu:
        journal.error("fichier %s absent du stockage", fichier.pk)
        raise Introuvable from perdu
    return FileResponse(contenu, as_attachment=True, filename=nom, content_type=fichier.type_servi)
