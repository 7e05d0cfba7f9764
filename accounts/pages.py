"""The two small pages that mailed links open, and the front door."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views import View
from django.views.decorators.cache import never_cache

from accounts.services.invitations import inscrire, invitation_valable, refus_d_inscription
from accounts.services.oublis import demande_valable, refus_de_reinitialisation, reinitialiser
from socle.domaine.erreurs import ChampsInvalides, Details, ErreurMetier

CHAMP_JETON = forms.CharField(widget=forms.HiddenInput)


class FormulaireMotDePasse(forms.Form):
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


class _PageDeLien(View):
    """A form behind a mailed token; a dead link says so and what to do."""

    formulaire: type[forms.Form]
    titre: Any
    fait: Any

    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(request, *args, **kwargs)

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
                self.agir(objet, formulaire.cleaned_data)
                return render(request, "pages/fait.html", {"titre": self.titre, "message": self.fait})
            ChampsInvalides.exiger_aucun(self.refus(objet, formulaire.cleaned_data))
        except ErreurMetier as refus:
            for texte in _textes(refus):
                formulaire.add_error(None, texte)
        return self._rendre(request, formulaire, objet)

    def objet(self, jeton: str) -> Any:
        raise NotImplementedError

    def agir(self, objet: Any, donnees: dict[str, Any]) -> None:
        raise NotImplementedError

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        """What the service would refuse of the fields that are good, said with what is wrong of the others."""
        raise NotImplementedError

    def adresse(self, objet: Any) -> str:
        return str(objet.email)

    def _rendre(self, request: HttpRequest, formulaire: forms.Form, objet: Any) -> HttpResponse:
        if objet is None:
            return render(request, "pages/lien_mort.html", {"titre": self.titre}, status=404)
        return render(
            request, "pages/formulaire.html", {"titre": self.titre, "form": formulaire, "email": self.adresse(objet)}
        )


class Reinitialisation(_PageDeLien):
    formulaire = FormulaireMotDePasse
    titre = _("Choisir un nouveau mot de passe")
    fait = _("Votre mot de passe est changé. Vous pouvez vous connecter.")

    def objet(self, jeton: str) -> Any:
        return demande_valable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> None:
        reinitialiser(**donnees)

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        return refus_de_reinitialisation(**bons)

    def adresse(self, objet: Any) -> str:
        return str(objet.compte.email)


class Invitation(_PageDeLien):
    formulaire = FormulaireInvitation
    titre = _("Créer votre compte")
    fait = _("Votre compte est créé. Vous pouvez vous connecter.")

    def objet(self, jeton: str) -> Any:
        return invitation_valable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> None:
        inscrire(email=objet.email, invitation_token=donnees.pop("token"), **donnees)

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        return refus_d_inscription(email=objet.email, invitation_token=bons.pop("token"), **bons)


def accueil(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/accueil.html", {"titre": _("Signalements de campus")})


def _textes(refus: ErreurMetier) -> list[str]:
    return [str(detail["message"]) for detail in refus.details] if refus.details else [str(refus.message)]
