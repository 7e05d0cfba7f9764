"""Files of a case: sent alone on their page, so that no text depends on them; read as attachments, never by a link."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from discussions.conversation import joindre
from portail.pages.base import PageDAcces, vers, vers_les_messages
from portail.pages.dossiers import dossier_du_rang, place_de
from resources.pages import PHRASES, EnvoiDUnFichier, boite, piece_jointe
from signalements.models import Signalement


class AjouterUnFichier(PageDAcces):
    gabarit = "portail/fichier.html"
    titre = _("Ajouter un fichier")

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        self.exiger_l_etape("create")
        pour = _pour(rang, dossier_du_rang(self.acteur, rang))
        return self.rendre(request, rang=rang, pour=pour, **boite())


@method_decorator(csrf_exempt, name="dispatch")
class Envoyer(EnvoiDUnFichier, PageDAcces):
    """Some files, then a message for each of them."""

    gabarit = "portail/fichier.html"
    adresse = "/fichiers/envoyer"
    # Only here is the team somebody else, who can make room.
    phrases_du_fichier: ClassVar[Mapping[str, Any]] = {
        **PHRASES,
        "QUOTA_EXCEEDED": _("Il n'y a plus de place pour vos fichiers. Dites-le à l'équipe dans un message."),
    }

    def exiger_d_envoyer(self) -> None:
        self.exiger_l_etape("create")

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("portail:dossiers")

    def destination(self, cle: str) -> tuple[int, Signalement]:
        rang, _separe, montre = cle.partition("-")
        place = place_de(self.acteur, _rang(rang), montre)
        return place, dossier_du_rang(self.acteur, place)

    def joindre(self, destination: tuple[int, Signalement], fichier: Any) -> HttpResponse:
        rang, dossier = destination
        joindre(acteur=self.acteur, dossier=dossier, fichier=fichier)
        return vers_les_messages(rang)

    def contexte_de(self, cle: str) -> dict[str, Any]:
        rang = _rang(cle.partition("-")[0])
        if not rang:
            return {}
        demande = {"rang": rang, "pour": cle, "ici": reverse("portail:fichier", args=[rang])}
        if "-" not in cle and self.acces:
            with suppress(Http404):
                demande["pour"] = _pour(rang, dossier_du_rang(self.acteur, rang))
        return demande


class Fichier(PageDAcces):
    """The bytes, through the check of access each time: no link that opens alone is left in the history."""

    def get(self, request: HttpRequest, file_id: Any) -> HttpResponse:
        reponse: HttpResponse = piece_jointe(self.acteur, file_id)
        return reponse


def _pour(rang: int, dossier: Signalement) -> str:
    return f"{rang}-{dossier.pk.hex}"


def _rang(cle: str) -> int:
    return int(cle[:6]) if cle[:6].isascii() and cle[:6].isdigit() else 0
