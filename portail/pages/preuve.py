"""The password again, between the pages of the campus and one's cases."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from portail.erreurs import MotDePasseFaux
from portail.pages import ouverture
from portail.pages.formulaires import MotDePasse
from portail.pages.page import Page, cle_de_la_page, faire_attendre, vers
from portail.pages.retour import retour_aux_dossiers, revenir
from portail.services import sceau
from portail.services.mot_de_passe import prouver
from socle.api.reseau import cle_adresse
from socle.erreurs import TropDeRequetes
from socle.pages import servies


class Preuve(Page):
    """Asks for the password of the account, then leads where one was going, or to the text that waited."""

    gabarit = "portail/compte/preuve.html"
    titre = _("Votre mot de passe")

    def get(self, request: HttpRequest) -> HttpResponse:
        if not self.acces.est_d_un_compte:
            return vers("portail:dossiers")
        return self._montrer(request, MotDePasse())

    def post(self, request: HttpRequest) -> HttpResponse:
        if (ailleurs := ouverture.deja_servie(self, request)) is not None:
            return ailleurs
        if not self.acces.est_d_un_compte:
            return self._mener(request)
        form = MotDePasse(request.POST)
        if not form.is_valid():
            return self._montrer(request, form, 422)
        try:
            prouver(self.acces, adresse=cle_adresse(request), **form.cleaned_data)
        except MotDePasseFaux as refus:
            form.add_error("mot_de_passe", str(refus.message))
            return self._montrer(request, form, refus.statut_http)
        except TropDeRequetes as refus:
            form.add_error("mot_de_passe", str(refus.message))
            return faire_attendre(self._montrer(request, form, refus.statut_http), refus)
        return self._mener(request)

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request, MotDePasse())

    def _mener(self, request: HttpRequest) -> HttpResponse:
        servies.noter(cle_de_la_page(request))
        if (a_reprendre := ouverture.a_reprendre(self, request)) is not None:
            return a_reprendre
        retour = retour_aux_dossiers(request)
        return revenir(retour) if retour else vers("portail:dossiers")

    def _montrer(self, request: HttpRequest, form: MotDePasse, statut: int = 200) -> HttpResponse:
        contexte: dict[str, Any] = {**ouverture.en_suspens(request), "retour": retour_aux_dossiers(request)}
        cle = cle_de_la_page(request) or sceau.tirer_jeton()
        return self.rendre(request, statut, form=form, cle_de_la_page=cle, **contexte)
