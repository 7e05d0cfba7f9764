"""Files on pages: sent alone, so that no text depends on them; given through the check of access each time."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import FileResponse, HttpRequest, HttpResponse, UnreadablePostError
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_protect
from rest_framework.exceptions import ValidationError

from resources import stockage
from resources.models import Fichier
from resources.permissions import fichier_accessible, part_de_l_adresse
from resources.serializers import FichierCreate
from resources.services.fichiers import televerser
from socle.api.exceptions import en_refus
from socle.api.middleware import longueur_dite, refuser_trop_grand
from socle.api.parsers import UnSeulFichier
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur
from socle.domaine.erreurs import (
    ChampsInvalides,
    ErreurMetier,
    FichierTropGrand,
    Introuvable,
    RequeteMalformee,
    ServiceIndisponible,
)
from socle.domaine.limites import consommer
from socle.pages.vues import Page

# Statuses that are about the file: the page is shown again with what is wrong.
DU_FICHIER = (413, 415, 422, 429, 503)
PHRASES = {
    "FILE_TOO_LARGE": _("Ce fichier fait plus de %(n)d Mo. Envoyez-en un plus petit."),
    "UNSUPPORTED_MEDIA_TYPE": _("Ce format peut dire où vous étiez. Envoyez un JPEG ou une capture d'écran."),
    "QUOTA_EXCEEDED": _("Il n'y a plus de place pour vos fichiers."),
}


class PieceJointe(forms.Form):
    """Judged by the service: the field is a box, and the place of what is said of the file."""

    # Where JPEG is asked for, a telephone that keeps HEIC sends that.
    fichier = forms.FileField(
        label=_("Votre fichier"),
        required=False,
        widget=forms.FileInput(
            attrs={
                "accept": "image/jpeg,image/png,image/webp,application/pdf,video/mp4,audio/*,.txt,.doc,.xls,.ppt,"
                ".docx,.xlsx,.pptx,.odt,.ods,.odp"
            }
        ),
    )


class EnvoiDUnFichier(Page):
    """One file, then what holds it. The page itself is `csrf_exempt`: it is checked once the file has its place."""

    rend_les_textes = False
    phrases_du_fichier: ClassVar[Mapping[str, Any]] = PHRASES
    titre = _("Ajouter un fichier")
    adresse = ""  # among TELEVERSEMENTS
    acteur: Acteur

    def entrer(self, request: HttpRequest) -> None:
        super().entrer(request)
        if request.method != "POST":
            return
        self.exiger_d_envoyer()
        refuser_trop_grand(request.path, longueur_dite(request))
        request.upload_handlers = [
            UnSeulFichier(request, settings.TELEVERSEMENTS[self.adresse]),
            TemporaryFileUploadHandler(request),
        ]

    def exiger_d_envoyer(self) -> None:
        """Refuse before a byte of the file is read."""

    def destination(self, cle: str) -> Any:
        """What the file is for, from what the form says of it; or a refusal."""
        raise NotImplementedError

    def joindre(self, destination: Any, fichier: Fichier) -> HttpResponse:
        """Attach it, and lead back there."""
        raise NotImplementedError

    def contexte_de(self, cle: str) -> dict[str, Any]:
        """What the page needs to ask again for this destination, whatever was posted, or asked for, as such."""
        raise NotImplementedError

    @method_decorator(csrf_protect)
    def post(self, request: HttpRequest) -> HttpResponse:
        destination = self.destination(_cle(request))
        consommer("upload", self.acteur.cle)
        if "fichier" not in request.FILES:
            raise ChampsInvalides.pour("required", fichier=_("Choisissez un fichier."))
        lu = FichierCreate(data={"file": request.FILES["fichier"]})
        lu.is_valid(raise_exception=True)
        envoye = lu.validated_data["file"]
        with part_de_l_adresse(self.acteur, cle_adresse(request), envoye.size):
            fichier = televerser(acteur=self.acteur, envoye=envoye)
        return self.joindre(destination, fichier)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        if isinstance(refus, UnreadablePostError):
            refus = RequeteMalformee()
        elif isinstance(refus, OSError):
            refus = ServiceIndisponible(attente=60)
        erreur = en_refus(refus)
        if erreur.statut_http not in DU_FICHIER or not isinstance(refus, ErreurMetier | ValidationError):
            return super().refuser(request, refus)
        return self._redemander(request, erreur)

    def _redemander(self, request: HttpRequest, erreur: ErreurMetier) -> HttpResponse:
        form = PieceJointe({})
        form.is_valid()
        phrase = str(self.phrases_du_fichier.get(erreur.code, erreur.message)) % {"n": settings.MAX_FILE_SIZE_MB}
        form.add_error("fichier", str(erreur.details[0]["message"]) if erreur.details else phrase)
        cle = request.GET.get("pour", "")[:40]  # all that is known of a file that was not received to its end
        if not isinstance(erreur, FichierTropGrand):
            with suppress(Exception):  # what could not be read says no more
                cle = _cle(request) or cle
        contexte = {"form": form, "limite": settings.MAX_FILE_SIZE_MB, **self.contexte_de(cle)}
        reponse = self.rendre(request, statut=erreur.statut_http, **contexte)
        if erreur.attente is not None:
            reponse.headers["Retry-After"] = str(erreur.attente)
        return self.proteger(reponse)


def piece_jointe(acteur: Acteur, file_id: UUID) -> Any:
    """The bytes as an attachment, under the name that this actor may read; 404 or 403."""
    fichier = fichier_accessible(acteur, file_id)
    try:
        contenu = stockage.ouvrir(fichier)
    except FileNotFoundError as perdu:
        raise Introuvable from perdu
    nom = fichier.nom_pour(acteur)
    return FileResponse(contenu, as_attachment=True, filename=nom, content_type=fichier.type_servi)


def _cle(request: HttpRequest) -> str:
    return request.POST.get("pour", "")[:40]
