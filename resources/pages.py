"""Files on pages: sent apart, so that no text depends on them; given through the check of access each time."""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import FileResponse, HttpRequest, HttpResponse, UnreadablePostError
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from resources import stockage
from resources.models import Fichier
from resources.noms import nom_sur
from resources.permissions import fichier_accessible, part_de_l_adresse
from resources.serializers import FichierCreate
from resources.services.fichiers import televerser
from resources.vocabulaire import OFFERTS
from socle.api.exceptions import en_refus
from socle.api.middleware import longueur_dite, refuser_trop_grand
from socle.api.parsers import UnSeulFichier
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur
from socle.domaine.limites import consommer
from socle.erreurs import (
    ChampsInvalides,
    EnsembleTropGrand,
    ErreurMetier,
    FichierTropGrand,
    Introuvable,
    RequeteMalformee,
    ServiceIndisponible,
)
from socle.pages.entetes import proteger

# Statuses that are about the file: the page is shown again with what is wrong.
DU_FICHIER = (413, 415, 422, 429, 503)
PHRASES = {
    "FILE_TOO_LARGE": _(
        "Ce fichier fait plus de %(n)d Mo. Une vidéo : coupez-la, ou filmez en moindre qualité. "
        "Une photo : envoyez-la en taille réduite."
    ),
    "UNSUPPORTED_MEDIA_TYPE": _("Ce format peut dire où vous étiez. Envoyez un JPEG ou un PNG."),
    "QUOTA_EXCEEDED": _("Il n'y a plus de place pour vos fichiers."),
}


ENSEMBLE_MAX = 20  # files of one form
ENSEMBLE_SECONDES = 8.0  # past them no other file of a form is begun: what is done is still answered in time
AUCUN = _("Choisissez un fichier.")
TROP = _("%(n)d fichiers au plus à la fois, et rien n'est parti. Choisissez-en moins, puis envoyez les autres.")
PAS_LE_TEMPS = _("Pas envoyé, faute de temps. Choisissez-le de nouveau.")
PRIS = _("Envoyé.")
PERDU = _("Pas envoyé. Rechargez la page, puis choisissez-le de nouveau.")


class DesFichiers(UnSeulFichier):
    """Upload handler of a form: some files, one past the limit dropped and named; 422 for too many, or another box."""

    def __init__(self, request: Any, limite: int) -> None:
        super().__init__(request, limite)
        self.commences = 0
        self.trop_grands: list[tuple[str, ErreurMetier]] = []

    def new_file(self, field_name: str, *args: Any, **kwargs: Any) -> None:
        self.commences += 1
        if field_name != "fichier":
            raise ChampsInvalides.pour("required", fichier=AUCUN)
        if self.commences > ENSEMBLE_MAX:
            raise ChampsInvalides.pour("max_length", fichier=TROP % {"n": ENSEMBLE_MAX})
        self.recus, self.condensat = None, hashlib.sha256()
        super().new_file(field_name, *args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        try:
            return super().receive_data_chunk(raw_data, start)
        except FichierTropGrand as refus:
            self.trop_grands.append((_nom(self.file_name), refus))
            raise SkipFile from refus  # what was written of it is removed, and the rest read, not kept


class PlusieursFichiers(forms.FileInput):
    allow_multiple_selected = True


class PieceJointe(forms.Form):
    """Judged by the service: the field is a box, and the place of what is said of the file."""

    fichier = forms.FileField(
        label=_("Votre fichier"),
        required=False,
        widget=PlusieursFichiers(attrs={"accept": ",".join(OFFERTS), "multiple": True}),
    )


class Refuses(list[tuple[str, ErreurMetier]]):
    """The files of a form that were refused, by name; `pris`: the names of the others, which are sent."""

    def __init__(self, *refuses: Any) -> None:
        super().__init__(*refuses)
        self.pris: list[str] = []


class EnvoiDeFichiers:
    """The files of a form, each with what holds it, for a page that is `csrf_exempt`: see `recevoir`."""

    def __init__(self, request: HttpRequest, acteur: Acteur, adresse: str) -> None:
        """Before a byte is read. `adresse`: among TELEVERSEMENTS."""
        self.request, self.acteur = request, acteur
        refuser_trop_grand(request.path, longueur_dite(request))
        self.recus = DesFichiers(request, settings.TELEVERSEMENTS[adresse])
        request.upload_handlers = [self.recus, TemporaryFileUploadHandler(request)]

    def recevoir(self, joindre: Callable[[Fichier], HttpResponse]) -> HttpResponse | Refuses:
        """Join each file; return where the last one leads, or those refused for themselves, where there are several.

        The token of the form was checked before, once the files had their place.
        """
        envoyes, trop_grands = self.request.FILES.getlist("fichier"), self.recus.trop_grands
        if not envoyes and not trop_grands:
            raise ChampsInvalides.pour("required", fichier=AUCUN)
        if len(envoyes) + len(trop_grands) > 1:
            suite = self._recevoir_chacun(envoyes, joindre, refuses := Refuses(trop_grands))
            if refuses:
                return refuses
        elif trop_grands:
            raise trop_grands[0][1]
        else:
            suite = joindre(self._recevoir(envoyes[0]))
        return HttpResponse(status=204) if _est_suivi(self.request) else suite

    def _recevoir_chacun(
        self, envoyes: list[Any], joindre: Callable[[Fichier], HttpResponse], refuses: Refuses
    ) -> HttpResponse:
        """Join each file; those that are refused for themselves are added to `refuses`."""
        suite, fin = HttpResponse(status=204), monotonic() + ENSEMBLE_SECONDES
        for envoye in envoyes:
            try:
                if monotonic() > fin:
                    raise ServiceIndisponible(PAS_LE_TEMPS)
                suite = joindre(self._recevoir(envoye))
            except (ErreurMetier, ValidationError) as refus:
                if not _est_du_fichier(refus):
                    raise
                refuses.append((_nom(envoye.name), en_refus(refus)))
            else:
                refuses.pris.append(_nom(envoye.name))
        return suite

    def _recevoir(self, envoye: Any) -> Fichier:
        consommer("upload", self.acteur.cle)
        lu = FichierCreate(data={"file": envoye})
        lu.is_valid(raise_exception=True)
        with part_de_l_adresse(self.acteur, cle_adresse(self.request), envoye.size):
            return televerser(acteur=self.acteur, envoye=lu.validated_data["file"])


def lire_le_refus(refus: Exception) -> tuple[Exception, Refuses | None]:
    """Name the failure of a page that sends files, with the refusal of the file, where it is about that one."""
    if isinstance(refus, UnreadablePostError):
        refus = RequeteMalformee()
    elif isinstance(refus, OSError):
        refus = ServiceIndisponible(attente=60)
    return refus, Refuses([("", en_refus(refus))]) if _est_du_fichier(refus) else None


def redemander(
    request: HttpRequest,
    refuses: Refuses,
    rendre: Callable[..., HttpResponse],
    contexte_de: Callable[[str], dict[str, Any]],
    phrases: Mapping[str, Any] = PHRASES,
) -> HttpResponse:
    """Ask again, with each refusal under the name of its file, where there were several.

    `contexte_de`: what the page needs to ask again for a destination, whatever was posted, or asked for, as such.
    """
    form = PieceJointe({})
    form.is_valid()
    for nom, erreur in refuses:
        phrase = phrase_de(erreur, phrases)
        form.add_error("fichier", _("« %(nom)s » : %(phrase)s") % {"nom": nom, "phrase": phrase} if nom else phrase)
    premiere = refuses[0][1]
    cle = request.GET.get("pour", "")[:40]  # all that is known of a file that was not received to its end
    if not isinstance(premiere, EnsembleTropGrand):
        with suppress(Exception):  # what could not be read says no more
            cle = cle_postee(request) or cle
    contexte = {"pris": refuses.pris, **boite(form), **contexte_de(cle)}
    reponse = rendre(request, statut=premiere.statut_http, **contexte)
    if premiere.attente is not None:
        reponse.headers["Retry-After"] = str(premiere.attente)
    return proteger(reponse)


def phrase_de(erreur: ErreurMetier, phrases: Mapping[str, Any], limite: int | None = None) -> str:
    """Sentence for a refusal of a file; `limite`: of one file, in megabytes, where it is not MAX_FILE_SIZE_MB."""
    if erreur.details:
        return str(erreur.details[0]["message"])
    return str(phrases.get(erreur.code, erreur.message_de_page)) % {"n": limite or settings.MAX_FILE_SIZE_MB}


def boite(form: PieceJointe | None = None) -> dict[str, Any]:
    """Context of the box of files: its form, the limits, and what its script says of a file."""
    limite = settings.MAX_FILE_SIZE_MB
    dits = {"grand": str(PHRASES["FILE_TOO_LARGE"]) % {"n": limite}, "pris": PRIS, "perdu": PERDU}
    ensemble = {"nombre": ENSEMBLE_MAX, "ensemble": settings.ENSEMBLE_MAX_MB}
    return {"form": form or PieceJointe(), "limite": limite, "octets": limite * 1024 * 1024, "dits": dits, **ensemble}


def _nom(brut: str | None) -> str:
    return nom_sur(brut or "", "")


def _est_du_fichier(refus: Exception) -> bool:
    return isinstance(refus, ErreurMetier | ValidationError) and en_refus(refus).statut_http in DU_FICHIER


def _est_suivi(request: HttpRequest) -> bool:
    """True where a script of ours sends it, and goes on by itself."""
    return "X-Envoi" in request.headers


def piece_jointe(acteur: Acteur, file_id: UUID) -> Any:
    """The bytes as an attachment, under the name that this actor may read; 404 or 403."""
    fichier = fichier_accessible(acteur, file_id)
    try:
        contenu = stockage.ouvrir(fichier)
    except FileNotFoundError as perdu:
        raise Introuvable from perdu
    nom = fichier.nom_pour(acteur)
    return FileResponse(contenu, as_attachment=True, filename=nom, content_type=fichier.type_servi)


def cle_postee(request: HttpRequest) -> str:
    """Key of the thing that the form says its files are for."""
    return request.POST.get("pour", "")[:40]
