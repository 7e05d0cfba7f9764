"""Files of a case: sent alone on their page, so that no text depends on them; read as attachments, never by a link."""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from rest_framework.exceptions import ValidationError

from discussions.conversation import la_discussion
from discussions.services import ecrire
from portail.pages.base import PageDAcces, vers, vers_les_messages
from portail.pages.dossiers import dossier_du_rang
from portail.pages.formulaires import PieceJointe
from resources.pages import piece_jointe
from resources.permissions import part_de_l_adresse
from resources.serializers import FichierCreate
from resources.services.fichiers import televerser
from socle.api.exceptions import en_refus
from socle.api.parsers import UnSeulFichier
from socle.api.reseau import cle_adresse
from socle.domaine.erreurs import ErreurMetier, RequeteMalformee, ServiceIndisponible
from socle.domaine.limites import consommer

# Statuses that are about the file: the page is shown again with what is wrong.
DU_FICHIER = (413, 415, 422, 429, 503)
PHRASES = {
    "FILE_TOO_LARGE": _("Ce fichier fait plus de %(n)d Mo."),
    "UNSUPPORTED_MEDIA_TYPE": _("Ce format peut dire où vous étiez. Envoyez un JPEG ou une capture d'écran."),
    "QUOTA_EXCEEDED": _("Il n'y a plus de place pour vos fichiers."),
}


class AjouterUnFichier(PageDAcces):
    gabarit = "portail/fichier.html"
    titre = _("Ajouter un fichier")

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        self.exiger_l_etape("create")
        dossier_du_rang(self.acteur, rang)
        return self.rendre(request, rang=rang, form=PieceJointe(), limite=settings.MAX_FILE_SIZE_MB)


@method_decorator(csrf_exempt, name="dispatch")  # it is checked below, once where the file goes is decided
class Envoyer(PageDAcces):
    """One file, then a message that holds it."""

    gabarit = "portail/fichier.html"
    rend_les_textes = False
    titre = _("Ajouter un fichier")

    def entrer(self, request: HttpRequest) -> None:
        super().entrer(request)
        if request.method != "POST":
            return
        self.exiger_l_etape("create")
        request.upload_handlers = [
            UnSeulFichier(request, settings.TELEVERSEMENTS["/fichiers/envoyer"]),
            TemporaryFileUploadHandler(request),
        ]

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("portail:dossiers")

    @method_decorator(csrf_protect)
    def post(self, request: HttpRequest) -> HttpResponse:
        rang = request.POST.get("rang", "")[:6]
        dossier = dossier_du_rang(self.acteur, int(rang) if rang.isascii() and rang.isdigit() else 0)
        consommer("upload", self.acteur.cle)
        lu = FichierCreate(data={"file": request.FILES.get("fichier")})
        lu.is_valid(raise_exception=True)
        envoye = lu.validated_data["file"]
        with part_de_l_adresse(self.acteur, cle_adresse(request), envoye.size):
            fichier = televerser(acteur=self.acteur, envoye=envoye)
        ecrire(acteur=self.acteur, discussion=la_discussion(self.acteur, dossier), pieces_jointes=[fichier.pk])
        return vers_les_messages(int(rang))

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
        phrase = str(PHRASES.get(erreur.code, erreur.message)) % {"n": settings.MAX_FILE_SIZE_MB}
        form.add_error("fichier", str(erreur.details[0]["message"]) if erreur.details else phrase)
        rang = ""
        with suppress(Exception):  # what could not be read says no rank: the list of cases then leads on
            rang = request.POST.get("rang", "")[:6]
        contexte: dict[str, Any] = {"form": form, "limite": settings.MAX_FILE_SIZE_MB}
        if rang.isascii() and rang.isdigit():
            contexte["rang"] = int(rang)
        reponse = self.rendre(request, statut=erreur.statut_http, **contexte)
        if erreur.attente is not None:
            reponse.headers["Retry-After"] = str(erreur.attente)
        return self.proteger(reponse)


class Fichier(PageDAcces):
    """The bytes, through the check of access each time: no link that opens alone is left in the history."""

    def get(self, request: HttpRequest, file_id: Any) -> HttpResponse:
        return piece_jointe(self.acteur, file_id)
