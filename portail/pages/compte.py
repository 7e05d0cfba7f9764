"""An account in the browser: signing in, signing up, asking for another password; the limits and words of the API."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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
from portail.pages import formulaires, ouverture
from portail.pages.cookies import ACCES, jeton_de
from portail.pages.page import Page, faire_attendre, librement, vers
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


@dataclass(frozen=True)
class Identification:
    """Way for somebody to say who they are: a form, and the act that opens a session for it, or refuses."""

    nom: str  # of its templates
    titre: Any
    formulaire: type[FormulaireDeSerializer]
    ouvrir: Callable[[HttpRequest, Any], Session]
    empechements: Callable[[], Details] = list  # what stops anybody before they have typed anything

    def session(self, request: HttpRequest, redemander: Callable[[Any, int], HttpResponse]) -> Session | HttpResponse:
        """A session that has just been opened for who filled the form, or the form again where it is about that."""
        form = self.formulaire(request.POST)
        try:
            return self.ouvrir(request, form)
        except TropDeRequetes as refus:
            form.accueillir(_details(refus))
            return faire_attendre(redemander(form, refus.statut_http), refus)
        except A_REDEMANDER as refus:
            form.accueillir(_details(refus))
            return redemander(form, refus.statut_http)

    def contexte(self) -> dict[str, Any]:
        return {"titre": self.titre, "empeche": [un["message"] for un in self.empechements()]}


def _se_connecter(request: HttpRequest, form: formulaires.FormulaireDeConnexion) -> Session:
    if not form.is_valid():
        raise ChampsInvalides(details=[])
    try:
        return se_connecter(adresse=cle_adresse(request), agent=agent_de(request), **form.cleaned_data)
    except (CodeExige, CodeInvalide):
        form.demander_le_code()
        raise


def _s_inscrire(request: HttpRequest, form: formulaires.Inscription) -> Session:
    consommer("signup", cle_adresse(request))
    if not form.is_valid():
        raise ChampsInvalides(details=refus_d_inscription(**form.cleaned_data))
    return s_inscrire(adresse=cle_adresse(request), agent=agent_de(request), **form.cleaned_data)


CONNEXION = Identification("connexion", _("Se connecter"), formulaires.FormulaireDeConnexion, _se_connecter)
INSCRIPTION = Identification(
    "inscription", _("Créer un compte"), formulaires.Inscription, _s_inscrire, refus_d_inscription
)


class OuvrirUnCompte(Page):
    """By signing in, or by signing up: the space that this browser had ends."""

    par = CONNEXION  # or INSCRIPTION, at its address
    entrer = librement

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request, form=self.par.formulaire(), **ouverture.d_abord(request))

    def post(self, request: HttpRequest) -> HttpResponse:
        if (ailleurs := ouverture.deja_servie(self, request)) is not None:
            return ailleurs
        if ouverture.laisserait_un_brouillon(request):
            return self._redemander(request, self.par.formulaire(request.POST), 409, demande=True)
        session = self.par.session(request, partial(self._redemander, request))
        if isinstance(session, HttpResponse):
            return session
        jeton, depuis = sceau.tirer_jeton(), ouverture.d_ou_l_on_vient(request)
        services.remplacer(jeton_de(request, ACCES), session=session, jeton=jeton)
        return ouverture.mener(self, request, jeton, depuis=depuis)

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        form = self.par.formulaire(initial=request.POST.dict())
        return ouverture.deja_servie(self, request) or self._redemander(request, form, 200)

    def _redemander(self, request: HttpRequest, form: Any, statut: int, **contexte: Any) -> HttpResponse:
        return self._montrer(request, statut=statut, form=form, **contexte, **ouverture.de_nouveau(request))

    def _montrer(self, request: HttpRequest, **contexte: Any) -> HttpResponse:
        gabarit = f"portail/compte/{self.par.nom}.html"
        return self.rendre(
            request, gabarit=gabarit, rattachable=est_ouverte("merge"), **self.par.contexte(), **contexte
        )


class MotDePasseOublie(Page):
    """Says the same of an address that has an account and of one that has none."""

    gabarit = "portail/compte/oubli.html"
    titre = _("Mot de passe oublié")
    entrer = librement

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
            return faire_attendre(self.rendre(request, statut=refus.statut_http, form=form), refus)
        return vers("portail:oubli", suite="?envoye")


def _details(refus: ErreurMetier) -> Details:
    """Details of the refusal on each field, or on the form as a whole."""
    if isinstance(refus, CourrielDejaUtilise):
        return [{"field": "email", "message": refus.message, "code": "taken"}]
    if isinstance(refus, CodeExige | CodeInvalide):
        return [{"field": "otp", "message": refus.message, "code": "otp"}]
    if refus.details is None:
        return [{"field": "", "message": refus.message, "code": "invalid"}]
    return list(refus.details)
