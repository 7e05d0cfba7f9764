"""« Être prévenu·e »: the one mail, shown whole, before anything is asked.

Where none leaves nothing is offered, and what was asked for before can be stopped.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from avis import demandes
from portail.pages import formulaires
from portail.pages.page import Page, faire_attendre, vers
from socle.api.reseau import cle_adresse
from socle.courriel import est_remis
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee, TropDeRequetes
from socle.pages.mails import ecrire

FAITS = {"oui": _("C'est noté."), "non": _("C'est fait : plus aucun e-mail ne partira.")}


class Prevenir(Page):
    """A guest gives an address, an account has its own; from the campus's pages its password is asked again."""

    gabarit = "portail/prevenir.html"
    titre = _("Être prévenu·e")
    est_un_dossier = True

    def get(self, request: HttpRequest) -> HttpResponse:
        fait = request.GET.get("fait", "")
        if not (est_remis() or fait == "non" or demandes.etat_de(self.acteur).demande):
            raise Introuvable
        return self._montrer(request, formulaires.AdresseAPrevenir(), fait=FAITS.get(fait))

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        if not est_remis():
            raise Introuvable
        return self._montrer(request, formulaires.AdresseAPrevenir(initial=request.POST.dict()))

    def post(self, request: HttpRequest) -> HttpResponse:
        if not (est_remis() or request.POST.get("acte") == "non"):
            raise Introuvable
        if self.acces.est_d_un_compte:
            return self._du_compte(request)
        if request.POST.get("acte") == "non":  # at any stage: nobody is held to it
            demandes.arreter(acteur=self.acteur)
            return self._fait("non")
        self.exiger_l_etape("create")
        form = formulaires.AdresseAPrevenir(request.POST)
        if not form.is_valid():
            return self._montrer(request, form, statut=422)
        try:
            consommer("notice_address", cle_adresse(request))
            demandes.demander(acteur=self.acteur, langue=get_language() or "fr", **form.cleaned_data)
        except TropDeRequetes as refus:
            form.accueillir([{"field": "", "message": refus.message, "code": "throttled"}])
            return faire_attendre(self._montrer(request, form, statut=refus.statut_http), refus)
        return self._fait("oui")

    def _du_compte(self, request: HttpRequest) -> HttpResponse:
        if not self.acteur.peut(Droit.PREFERENCES_MODIFIER):
            raise PermissionRefusee
        voulu = request.POST.get("acte") == "oui"
        try:
            demandes.choisir(compte=self.acteur.compte, voulu=voulu)
        except ChampsInvalides:  # the page says why, and what to do
            return self._montrer(request, formulaires.AdresseAPrevenir(), statut=422)
        return self._fait("oui" if voulu else "non")

    def _montrer(self, request: HttpRequest, form: Any, statut: int = 200, fait: Any = "") -> HttpResponse:
        mail = ecrire("avis", {"lien": f"{settings.PUBLIC_URL}/", "arret": f"{settings.PUBLIC_URL}/ne-plus-prevenir?…"})
        etat = demandes.etat_de(self.acteur)
        contexte = {"form": form, "fait": fait, "etat": etat, "mail": mail, "se_propose": est_remis()}
        return self.rendre(request, statut=statut, **contexte)

    def _fait(self, quoi: str) -> HttpResponse:
        return vers("portail:prevenir", suite=f"?fait={quoi}#fait")
