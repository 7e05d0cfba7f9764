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

from accounts.erreurs import CourrielDejaUtilise
from accounts.models import Compte, est_incomplet
from accounts.services import adresses
from accounts.services.invitations import inscrire, invitation_valable, refus_d_inscription
from accounts.services.mot_de_passe_oublie import demande_valable, demander, refus_de_reinitialisation, reinitialiser
from socle.api.champs import Courriel
from socle.api.reseau import cle_adresse
from socle.api.serializers import chameau
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, Details, ErreurMetier, TropDeRequetes
from socle.pages.formulaires import FormulaireSaisi, TexteSaisi

CHAMP_JETON = forms.CharField(widget=forms.HiddenInput)


class FormulaireDeLien(forms.Form):
    token = CHAMP_JETON


class FormulaireReinitialisation(forms.Form):
    token = CHAMP_JETON
    nouveau_mot_de_passe = forms.CharField(
        label=_("Nouveau mot de passe"),
        max_length=1024,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "autofocus": True}),
        help_text=_("8 caractères au moins."),
    )


class FormulaireInvitation(FormulaireSaisi):
    token = CHAMP_JETON
    prenom = TexteSaisi(
        label=_("Prénom"),
        max_length=255,
        widget=forms.TextInput(attrs={"autocomplete": "given-name", "autofocus": True}),
    )
    nom = TexteSaisi(label=_("Nom"), max_length=255, widget=forms.TextInput(attrs={"autocomplete": "family-name"}))
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
        contexte = {"explication": self.explication, **self.cadre(), **contexte, "form": formulaire}
        if formulaire.errors:  # the list of them takes the focus
            for champ in formulaire.fields.values():
                champ.widget.attrs.pop("autofocus", None)
        return render(request, "pages/formulaire.html", contexte)

    def finir(self, request: HttpRequest, message: Any, **contexte: Any) -> HttpResponse:
        return render(request, "pages/fait.html", self.cadre() | contexte | {"message": message})

    def cadre(self) -> dict[str, Any]:
        """Context of the frame: that of the portal, where there is one."""
        return {"titre": self.titre, "portail": settings.PORTAIL_ENABLED}


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


class PageDeLien(_Page):
    """A form behind a mailed token; a dead token gets a 404 page that says what to do."""

    fait: Any
    mort: Any = _(
        "Ce lien n'est plus valable : il a déjà servi, son délai est passé, ou un autre l'a remplacé. Prenez le "
        "dernier reçu, ou demandez-en un nouveau."
    )
    redemander = ""  # the name of the page that gives another link
    cree_un_compte = False  # a link that has served leads to signing in
    se_connecte = False  # so does a dead one, whatever it died of

    def get(self, request: HttpRequest) -> HttpResponse:
        jeton = request.GET.get("token", "")
        return self._rendre(request, self.formulaire(initial={"token": jeton}), self.objet(jeton))

    def post(self, request: HttpRequest) -> HttpResponse:
        saisie = self.saisie(request)
        formulaire = self.formulaire(saisie)
        objet = self.objet(saisie.get("token", ""))
        if objet is None:
            return self._rendre(request, formulaire, objet)
        try:
            if formulaire.is_valid():
                return self.finir(request, self.fait, compte=self.agir(objet, formulaire.cleaned_data))
            ChampsInvalides.exiger_aucun(self.refus(objet, formulaire.cleaned_data))
        except ErreurMetier as refus:
            _placer(formulaire, refus)
        return self._rendre(request, formulaire, objet)

    def saisie(self, request: HttpRequest) -> Any:
        """The fields that were sent, the token among them."""
        return request.POST

    def objet(self, jeton: str) -> Any:
        raise NotImplementedError

    def agir(self, objet: Any, donnees: dict[str, Any]) -> Compte | None:
        """Do what the page is for; return the account that its person may sign in to now, if any."""
        raise NotImplementedError

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        """List the service's refusals of the valid fields, to be shown beside the form's own errors."""
        return []

    def contexte(self, objet: Any) -> dict[str, Any]:
        return {"email": objet.email}

    def _rendre(self, request: HttpRequest, formulaire: forms.Form, objet: Any) -> HttpResponse:
        if objet is None:
            jeton = request.POST.get("token", request.GET.get("token", ""))
            contexte = {"mort": self.mort, "redemander": self.redemander, "incomplet": est_incomplet(jeton)}
            contexte |= {**self.cadre(), "cree_un_compte": self.cree_un_compte, "se_connecte": self.se_connecte}
            return render(request, "pages/lien_mort.html", contexte, status=404)
        return self.rendre(request, formulaire, **self.contexte(objet))


class Reinitialisation(PageDeLien):
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

    def contexte(self, objet: Any) -> dict[str, Any]:
        return {"email": objet.compte.email}


class Invitation(PageDeLien):
    formulaire = FormulaireInvitation
    titre = _("Créer votre compte")
    fait = _("Votre compte est créé.")
    # The same of one that was taken back, so that it does not tell which of these it is.
    mort = _(
        "Cette invitation n'est plus valable : elle a déjà servi, son délai est passé, ou elle a été remplacée ou "
        "retirée. Si vous en avez reçu une plus récente, prenez-la ; sinon, demandez-en une à qui vous a invité·e."
    )
    cree_un_compte = True

    def objet(self, jeton: str) -> Any:
        return invitation_valable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> Compte:
        return inscrire(email=objet.email, invitation_token=donnees.pop("token"), **donnees)

    def refus(self, objet: Any, bons: dict[str, Any]) -> Details:
        return refus_d_inscription(email=objet.email, invitation_token=bons.pop("token"), **bons)

    def contexte(self, objet: Any) -> dict[str, Any]:
        return super().contexte(objet) | objet.citer()


class ConfirmerAdresse(PageDeLien):
    formulaire = FormulaireDeLien
    titre = _("Confirmer une adresse e-mail")
    fait = _("Cette adresse est maintenant celle du compte.")
    # The same of one that has served, so that it does not tell whether the address is somebody's.
    mort = _(
        "Ce lien n'est plus valable : il a déjà servi, son délai est passé, ou un autre l'a remplacé. Connectez-vous : "
        "« Mon compte » dit quelle adresse est la vôtre, et permet d'en changer. Si vous ne pouvez pas, parlez-en à "
        "l'administration du campus."
    )
    se_connecte = True

    def objet(self, jeton: str) -> Any:
        return adresses.confirmable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> Compte:
        return adresses.confirmer(**donnees)

    def contexte(self, objet: Any) -> dict[str, Any]:
        if adresses.est_prise(objet):
            return {"sans_suite": CourrielDejaUtilise.message}
        explication = _(
            "L'adresse %(email)s deviendra celle d'un compte de ce service : elle servira à l'ouvrir, et à recevoir "
            "ses messages. Si vous ne vous y attendiez pas, fermez cette page : rien ne change."
        )
        return {"explication": explication % {"email": objet.email}, "bouton": _("Confirmer cette adresse")}


class ContesterAdresse(PageDeLien):
    formulaire = FormulaireDeLien
    titre = _("Ce changement n'est pas de vous ?")
    fait = _("C'est dit aux personnes de l'administration. Elles vérifieront ce changement.")
    mort = _(
        "Ce lien n'est plus valable. Si vous n'attendiez pas ce changement, parlez-en à l'administration du campus."
    )
    explication = _(
        "Les personnes de l'administration apprendront que vous ne vous attendiez pas à ce changement d'adresse, et le "
        "vérifieront. Rien d'autre ne change."
    )

    def objet(self, jeton: str) -> Any:
        return adresses.contestable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> None:
        adresses.contester(**donnees)

    def contexte(self, objet: Any) -> dict[str, Any]:
        return {"bouton": _("Le dire à l'administration")}


def accueil(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/accueil.html", {"titre": settings.PORTAIL_NOM})


def _placer(formulaire: forms.Form, refus: ErreurMetier) -> None:
    """Add the refusals of a service to the fields that they name; others, as those of the link, to the form."""
    noms = {chameau(champ.name): champ.name for champ in formulaire.visible_fields()}
    for detail in refus.details or [{"field": "", "message": refus.message}]:
        formulaire.add_error(noms.get(detail["field"]), str(detail["message"]))
