"""Page of the names that cases share with the staff, for who decides whether it is they."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from espace.pages.base import PageDEquipe
from espace.pages.dossier import uuid_lu
from espace.vocabulaire import TAILLE
from homonymes.permissions import a_decider, homonyme_connu
from homonymes.services import decider
from socle.domaine.droits import Droit
from socle.erreurs import Conflit
from socle.pages.vues import vers

REPONSES = {"oui": True, "non": False}
FAITS = {
    "oui": _("C'est enregistré : cette personne ne lit pas le dossier."),
    "non": _("C'est enregistré : ce n'est pas cette personne."),
}


class NomsAVerifier(PageDEquipe):
    gabarit = "espace/noms.html"
    place = "membres"
    titre = _("Noms à vérifier")
    droit = Droit.SIGNALEMENTS_ROUVRIR

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request, fait=FAITS.get(request.GET.get("fait", "")))

    def post(self, request: HttpRequest) -> HttpResponse:
        reponse = request.POST.get("reponse", "")
        if reponse not in REPONSES:
            return self._montrer(request, statut=422, refus=_("Choisissez l'une des deux réponses."))
        homonyme = homonyme_connu(self.acteur, uuid_lu(request.POST.get("nom", "")))
        try:
            decider(homonyme=homonyme, acteur=self.acteur, est_la_personne=REPONSES[reponse])
        except Conflit as refus:
            return self._montrer(request, statut=refus.statut_http, refus=refus.message)
        return vers("espace:noms", suite=f"?fait={reponse}#fait")

    def _montrer(self, request: HttpRequest, statut: int = 200, **contexte: Any) -> HttpResponse:
        noms = list(a_decider(self.acteur)[: TAILLE + 1])
        return self.rendre(request, statut=statut, noms=noms[:TAILLE], reste=len(noms) > TAILLE, **contexte)
