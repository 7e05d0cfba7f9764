"""Files of a case: sent alone on their page, so that no text depends on them; read as attachments, never by a link."""

from contextlib import suppress
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from discussions.conversation import joindre
from portail.pages.dossiers import dossier_du_rang, place_de
from portail.pages.page import Page, ailleurs, vers_les_messages
from resources.pages import (
    PHRASES,
    EnvoiDeFichiers,
    Refuses,
    boite,
    cle_postee,
    lire_le_refus,
    piece_jointe,
    redemander,
)
from signalements.models import Signalement

# Only here is the team somebody else, who can make room.
PHRASES_DU_FICHIER = PHRASES | {
    "QUOTA_EXCEEDED": _("Il n'y a plus de place pour vos fichiers. Dites-le à l'équipe dans un message.")
}


class AjouterUnFichier(Page):
    est_un_dossier = True
    gabarit = "portail/fichier.html"
    titre = _("Ajouter un fichier")

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        self.exiger_l_etape("create")
        pour = _pour(rang, dossier_du_rang(self.acteur, rang))
        return self.rendre(request, rang=rang, pour=pour, **boite())


@method_decorator(csrf_exempt, name="dispatch")
class EnvoyerDesFichiers(Page):
    """Some files, then a message for each of them."""

    est_un_dossier = True
    gabarit = "portail/fichier.html"
    titre = _("Ajouter un fichier")
    rend_les_textes = False

    def entrer(self, request: HttpRequest) -> str:
        cle = super().entrer(request)
        if request.method == "POST":
            self.exiger_l_etape("create")
            self.envoi = EnvoiDeFichiers(request, self.acteur, "/fichiers/envoyer")
        return cle

    get = ailleurs("portail:dossiers")

    @method_decorator(csrf_protect)
    def post(self, request: HttpRequest) -> HttpResponse:
        rang, _separe, montre = cle_postee(request).partition("-")
        place = place_de(self.acteur, _rang(rang), montre)
        dossier = dossier_du_rang(self.acteur, place)

        def au_dossier(fichier: Any) -> HttpResponse:
            joindre(acteur=self.acteur, dossier=dossier, fichier=fichier)
            return vers_les_messages(place)

        recu = self.envoi.recevoir(au_dossier)
        return recu if isinstance(recu, HttpResponse) else self._redemander(request, recu)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        refus, du_fichier = lire_le_refus(refus)
        return self._redemander(request, du_fichier) if du_fichier else super().refuser(request, refus)

    def _redemander(self, request: HttpRequest, refuses: Refuses) -> HttpResponse:
        return redemander(request, refuses, self.rendre, self._destination, PHRASES_DU_FICHIER)

    def _destination(self, cle: str) -> dict[str, Any]:
        """Context that the page shows to ask again."""
        rang = _rang(cle.partition("-")[0])
        if not rang:
            return {}
        demande = {"rang": rang, "pour": cle, "ici": reverse("portail:fichier", args=[rang])}
        if "-" not in cle and self.acces:
            with suppress(Http404):
                demande["pour"] = _pour(rang, dossier_du_rang(self.acteur, rang))
        return demande


class PieceDuDossier(Page):
    """The bytes, through the check of access each time: no link that opens alone is left in the history."""

    est_un_dossier = True

    def get(self, request: HttpRequest, file_id: Any) -> HttpResponse:
        reponse: HttpResponse = piece_jointe(self.acteur, file_id)
        return reponse


def _pour(rang: int, dossier: Signalement) -> str:
    return f"{rang}-{dossier.pk.hex}"


def _rang(cle: str) -> int:
    return int(cle[:6]) if cle[:6].isascii() and cle[:6].isdigit() else 0
