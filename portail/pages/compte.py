"""An account in the browser: signing in, signing up, asking for another password; the limits and words of the API."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import (
    CodeExige,
    CodeInvalide,
    CompteDesactive,
    CourrielDejaUtilise,
    EnrolementExige,
    IdentifiantsInvalides,
)
from accounts.models import Session
from accounts.services.invitations import refus_d_inscription
from accounts.services.mot_de_passe_oublie import demander
from guests.services import est_ouverte
from portail.pages import formulaires
from portail.pages.base import ACCES, Page, jeton_de, vers
from portail.pages.ouverture import PageDOuverture
from portail.services import acces as services
from portail.services import sceau
from portail.services.compte import s_inscrire, se_connecter
from socle.api.reseau import agent_de, cle_adresse
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, Details, ErreurMetier, TropDeRequetes
from socle.pages.formulaires import FormulaireDeSerializer

# Refusals that are about what was typed: the form is shown again, without the password.
A_REDEMANDER = (
    ChampsInvalides,
    IdentifiantsInvalides,
    CodeExige,
    CodeInvalide,
    EnrolementExige,
    CompteDesactive,
    CourrielDejaUtilise,
)


class PageDeCompte(PageDOuverture):
    formulaire: type[FormulaireDeSerializer]

    def post(self, request: HttpRequest) -> HttpResponse:
        if (question := self.demander_d_abord(request)) is not None:
            return question
        form = self.formulaire(request.POST)
        try:
            session = self.identifier(request, form)
        except TropDeRequetes as refus:
            form.accueillir(_details(refus))
            return self.faire_attendre(request, form, refus)
        except A_REDEMANDER as refus:
            form.accueillir(_details(refus))
            return self.redemander(request, form, refus.statut_http)
        return self.ouvrir(request, session)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().commun(request), "rattachable": est_ouverte("merge")}

    def identifier(self, request: HttpRequest, form: FormulaireDeSerializer) -> Session:
        """A session that has just been opened for who filled the form, or a refusal."""
        raise NotImplementedError

    def ouvrir(self, request: HttpRequest, session: Session) -> HttpResponse:
        jeton, depuis = sceau.tirer_jeton(), self.d_ou_l_on_vient(request)
        services.remplacer(jeton_de(request, ACCES), session=session, jeton=jeton)
        return self.mener(request, jeton, depuis=depuis)


class Connexion(PageDeCompte):
    gabarit = "portail/compte/connexion.html"
    titre = _("Se connecter")
    formulaire = formulaires.Connexion

    def identifier(self, request: HttpRequest, form: Any) -> Session:
        if not form.is_valid():
            raise ChampsInvalides(details=[])
        try:
            return se_connecter(adresse=cle_adresse(request), agent=agent_de(request), **form.cleaned_data)
        except (CodeExige, CodeInvalide):
            form.demander_le_code()
            raise


class Inscription(PageDeCompte):
    gabarit = "portail/compte/inscription.html"
    titre = _("Créer un compte")
    formulaire = formulaires.Inscription

    def identifier(self, request: HttpRequest, form: FormulaireDeSerializer) -> Session:
        consommer("signup", cle_adresse(request))
        if not form.is_valid():
            raise ChampsInvalides(details=refus_d_inscription(**form.cleaned_data))
        return s_inscrire(adresse=cle_adresse(request), agent=agent_de(request), **form.cleaned_data)

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        """With what stops anybody before they have typed anything: sign-up by invitation alone."""
        return {**super().commun(request), "empeche": [refus["message"] for refus in refus_d_inscription()]}


class Oubli(Page):
    """Says the same of an address that has an account and of one that has none."""

    gabarit = "portail/compte/oubli.html"
    titre = _("Mot de passe oublié")
    se_remontre = True

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, form=formulaires.Oubli(), envoye="envoye" in request.GET)

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, form=formulaires.Oubli(initial=request.POST.dict()))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = formulaires.Oubli(request.POST)
        try:
            consommer("forgot_password_address", cle_adresse(request))
            if not form.is_valid():
                return self.rendre(request, statut=422, form=form)
            demander(**form.cleaned_data)
        except TropDeRequetes as refus:
            form.accueillir(_details(refus))
            reponse = self.rendre(request, statut=refus.statut_http, form=form)
            reponse.headers["Retry-After"] = str(refus.attente)
            return reponse
        reponse = vers("portail:oubli")
        reponse.headers["Location"] += "?envoye"
        return reponse


def _details(refus: ErreurMetier) -> Details:
    """What it says of each field, or of the form as a whole."""
    if isinstance(refus, CourrielDejaUtilise):
        return [{"field": "email", "message": refus.message, "code": "taken"}]
    if isinstance(refus, CodeExige | CodeInvalide):
        return [{"field": "otp", "message": refus.message, "code": "otp"}]
    if refus.details is None:
        return [{"field": "", "message": refus.message, "code": "invalid"}]
    return list(refus.details)
