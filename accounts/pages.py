"""The small pages that mailed links open, the one that asks for such a link, and the front door."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views import View
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from accounts.models import Compte
from accounts.services.invitations import inscrire, invitation_valable, refus_d_inscription
from accounts.services.oublis import demande_valable, demander, refus_de_reinitialisation, reinitialiser
from socle.api.champs import Courriel
from socle.api.reseau import cle_adresse
from socle.domaine.erreurs import ChampsInvalides, Details, ErreurMetier, TropDeRequetes
from socle.domaine.limites import consommer

CHAMP_JETON = forms.CharField(widget=forms.HiddenInput)


class FormulaireReinitialisation(forms.Form):
    token = CHAMP_JETON
    nouveau_mot_de_passe = forms.CharField(
        label=_("Nouveau mot de passe"),
        max_length=1024,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "autofocus": True}),
        help_text=_("8 caractères au moins."),
    )


class FormulaireInvitation(forms.Form):
    token = CHAMP_JETON
    prenom = forms.CharField(
        label=_("Prénom"),
        max_length=255,
        widget=forms.TextInput(attrs={"autocomplete": "given-name", "autofocus": True}),
    )
    nom = forms.CharField(label=_("Nom"), max_length=255, widget=forms.TextInput(attrs={"autocomplete": "family-name"}))
    mot_de_passe = forms.CharField(
        label=_("Mot de passe"),
        max_length=1024,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("8 caractères au moins."),
    )


class FormulaireOubli(forms.Form):
    """Validate the address with the API's own field, `Courriel`."""

    email = forms.CharField(
        label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True})
    )

    def clean_email(self) -> str:
        try:
            return str(Courriel().run_validation(self.cleaned_data["email"]))
        except ValidationError as refus:
            raise forms.ValidationError([str(detail) for detail in refus.detail]) from refus


@method_decorator(never_cache, name="dispatch")
class _Page(View):
    formulaire: type[forms.Form]
    titre: Any
    explication: Any = ""

    def rendre(self, request: HttpRequest, formulaire: forms.Form, **contexte: Any) -> HttpResponse:
        contexte |= {"titre": self.titre, "explication": self.explication, "form": formulaire}
        return render(request, "pages/formulaire.html", contexte)

    def finir(self, request: HttpRequest, message: Any, **contexte: Any) -> HttpResponse:
        contexte |= {"titre": self.titre, "message": message, "portail_ouvert": settings.PORTAIL_ENABLED}
        return render(request, "pages/fait.html", contexte)


class Oubli(_Page):
    """Asks for a link by form: the limits and the silence of POST /auth/forgot-password."""

    formulaire = FormulaireOubli
    titre = _("Mot de passe oublié")
    explication = _("Indiquez l'adresse e-mail de votre compte : un lien pour choisir un autre mot de passe y partira.")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.rendre(request, self.formulaire())

    def post(self, request: HttpRequest) -> HttpResponse:
        formulaire = self.formulaire(request.POST)
        try:
            consommer("forgot_password_address", cle_adresse(request))
            if not formulaire.is_valid():
                return self.rendre(request, formulaire)
            demander(**formulaire.cleaned_data)
        except TropDeRequetes as refus:
            formulaire.add_error(None, str(refus.message))
            reponse = self.rendre(request, formulaire)
            reponse.status_code, reponse["Retry-After"] = refus.statut_http, str(refus.attente)
            return reponse
        return self.finir(request, _("Si un compte existe à cette adresse, un e-mail vient de partir."))


class _PageDeLien(_Page):
    """A form behind a mailed token; a dead token gets a 404 page that says what to do."""

    fait: Any
    redemander = ""  # the name of the page that gives another link

    def get(self, request: HttpRequest) -> HttpResponse:
        jeton = request.GET.get("token", "")
        return self._rendre(request, self.formulaire(initial={"token": jeton}), self.objet(jeton))

    def post(self, request: HttpRequest) -> HttpResponse:
        formulaire = self.formulaire(request.POST)
        objet = self.objet(request.POST.get("token", ""))
        if objet is None:
            return self._rendre(request, formulaire, objet)
        try:
            if formulaire.is_valid():
                return self.finir(request, self.fait, compte=self.agir(objet, formulaire.cleaned_data))
            ChampsInvalides.exiger_aucun(self.refus(objet, formulaire.cleaned_data))
        except ErreurMetier as refus:
            for texte in _textes(refus):
                formulaire.add_error(None, texte)
        return self._rendre(request, formulaire, objet)

    def objet(self, jeton: str) -> Any:
        raise NotImplementedError

    def agir(self, objet: Any, donnees: dict[str, Any]) -> Compte:
        raise NotImplementedError

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        """List the service's refusals of the valid fields, to be shown beside the form's own errors."""
        raise NotImplementedError

    def adresse(self, objet: Any) -> str:
        return str(objet.email)

    def _rendre(self, request: HttpRequest, formulaire: forms.Form, objet: Any) -> HttpResponse:
        if objet is None:
            contexte = {"titre": self.titre, "redemander": self.redemander}
            return render(request, "pages/lien_mort.html", contexte, status=404)
        return self.rendre(request, formulaire, email=self.adresse(objet))


class Reinitialisation(_PageDeLien):
    formulaire = FormulaireReinitialisation
    titre = _("Choisir un nouveau mot de passe")
    fait = _("Votre mot de passe est changé.")
    redemander = "admin_password_reset"

    def objet(self, jeton: str) -> Any:
        return demande_valable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> Compte:
        reinitialiser(**donnees)
        compte: Compte = objet.compte
        return compte

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        return refus_de_reinitialisation(**bons)

    def adresse(self, objet: Any) -> str:
        return str(objet.compte.email)


class Invitation(_PageDeLien):
    formulaire = FormulaireInvitation
    titre = _("Créer votre compte")
    fait = _("Votre compte est créé.")

    def objet(self, jeton: str) -> Any:
        return invitation_valable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> Compte:
        return inscrire(email=objet.email, invitation_token=donnees.pop("token"), **donnees)

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        return refus_d_inscription(email=objet.email, invitation_token=bons.pop("token"), **bons)


def accueil(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/accueil.html", {"titre": _("Signalements de campus")})


def _textes(refus: ErreurMetier) -> list[str]:
    return [str(detail["message"]) for detail in refus.details] if refus.details else [str(refus.message)]
