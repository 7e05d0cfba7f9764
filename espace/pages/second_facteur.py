"""The second factor in the browser: the code of a sign-in, and one's own page to enrol, renew codes or remove it."""

from collections.abc import Callable
from typing import Any

import segno
from django import forms
from django.contrib import admin
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from accounts.appareils import reconnaitre
from accounts.authentication import EnAttente, en_attente, entrer_avec_un_code, mot_de_passe_recent
from accounts.erreurs import CodeExige, CodeInvalide, IdentifiantsInvalides
from accounts.services import second_facteur as services
from accounts.vocabulaire import SECOND_FACTEUR_PROUVE
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import SANS_TRACE
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, ErreurMetier, NonAuthentifie, PermissionRefusee, TropDeRequetes
from socle.pages import vues
from socle.pages.vues import vers

ENROLEMENT = "enrolement"  # key of the browser session that has drawn the secret: it alone is shown it
PEU_DE_CODES = 3
_SAISIE = {**SANS_TRACE, "spellcheck": "false", "autocapitalize": "off", "maxlength": "64"}


def _code(etiquette: Any, aide: Any = "", **attributs: str) -> forms.CharField:
    widget = forms.TextInput(attrs={**_SAISIE, "autocomplete": "one-time-code", **attributs})
    return forms.CharField(label=etiquette, required=False, widget=widget, help_text=aide)


class FormulaireCode(forms.Form):
    otp = _code(_("Code"), _("Les six chiffres de votre application, ou un code de secours."), autofocus="autofocus")


class FormulaireConfirmation(forms.Form):
    otp = _code(_("Les six chiffres que montre l'application"), inputmode="numeric")


class FormulaireMotDePasse(forms.Form):
    mot_de_passe = forms.CharField(
        label=_("Votre mot de passe"),
        required=False,
        strip=False,
        max_length=1024,
        widget=forms.PasswordInput(attrs=SANS_TRACE),
    )


class FormulairePreuve(FormulaireMotDePasse):
    otp = _code(_("Code"), _("Les six chiffres de votre application, ou un code de secours."))


class PageDuCode(vues.Page):
    """The second step of the one sign-in of the team: in the browser session whose password was right."""

    gabarit = "espace/connexion.html"
    gabarit_de_refus = "espace/refus.html"
    titre = _("Votre code")
    rend_les_textes = False

    def get(self, request: HttpRequest) -> HttpResponse:
        if en_attente(request) is None:
            return redirect("admin:login")
        return self.rendre(request, form=FormulaireCode())

    def post(self, request: HttpRequest) -> HttpResponse:
        attente = en_attente(request)
        if attente is None:
            return redirect("admin:login")
        form = FormulaireCode(request.POST)
        form.is_valid()
        try:
            return self._entrer(request, attente, form.cleaned_data.get("otp", ""))
        except IdentifiantsInvalides:  # a new password, or a reset, since the first step
            return redirect("admin:login")
        except (CodeExige, CodeInvalide, TropDeRequetes) as refus:
            form.add_error("otp", str(refus.message))
            reponse = self.rendre(request, statut=refus.statut_http, form=form)
            if refus.attente:
                reponse.headers["Retry-After"] = str(refus.attente)
            return reponse

    def _entrer(self, request: HttpRequest, attente: EnAttente, otp: str) -> HttpResponse:
        entrer_avec_un_code(request, attente, otp=otp)
        reponse: HttpResponse = redirect(attente.suite)
        reponse.status_code = 303
        restants = services.etat(request.user).codes_restants  # type: ignore[arg-type]
        if restants <= PEU_DE_CODES:
            reponse = vers("espace:second_facteur")
        reconnaitre(request, reponse)
        return reponse


class SecondFacteur(PageDEquipe):
    """One's own second factor; the one page open to staff who must enrol before they enter."""

    gabarit = "espace/second_facteur.html"
    place = "compte"
    titre = _("Connexion en deux étapes")
    rend_les_textes = False

    def entrer(self, request: HttpRequest) -> None:
        if not request.user.is_authenticated:
            raise NonAuthentifie
        self.acteur = ActeurCompte(compte=request.user)
        if not self.acteur.peut(Droit.ESPACE_ENTRER):
            raise PermissionRefusee

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        a_enroler = admin.site.doit_s_enroler(request)  # type: ignore[attr-defined]  # ours
        return {**super().commun(request), "a_enroler": a_enroler}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        actes: dict[str, tuple[type[forms.Form], Callable[[HttpRequest, dict[str, Any]], HttpResponse]]] = {
            "demarrer": (FormulaireMotDePasse, self._demarrer),
            "confirmer": (FormulaireConfirmation, self._confirmer),
            "refaire": (FormulairePreuve, self._refaire),
            "retirer": (FormulairePreuve, self._retirer),
        }
        nom = request.POST.get("acte", "")
        if nom not in actes:
            return vers("espace:second_facteur")
        formulaire, acte = actes[nom]
        form = formulaire(request.POST, prefix=nom)
        form.is_valid()
        donnees = {champ: form.cleaned_data.get(champ, "") for champ in form.fields}
        try:
            return acte(request, donnees)
        except (ChampsInvalides, TropDeRequetes) as refus:
            _dire(form, refus)
            return self._montrer(request, statut=refus.statut_http, **{nom: form})

    def _montrer(self, request: HttpRequest, statut: int = 200, **formulaires: forms.Form) -> HttpResponse:
        etat = services.etat(self.compte)
        enrolement = services.en_cours(self.compte) if ENROLEMENT in request.session and not etat.actif else None
        contexte: dict[str, Any] = {
            "demarrer": FormulaireMotDePasse(prefix="demarrer"),
            "confirmer": FormulaireConfirmation(prefix="confirmer"),
            "refaire": FormulairePreuve(prefix="refaire"),
            "retirer": FormulairePreuve(prefix="retirer"),
            **formulaires,
        }
        faux = next((form for form in formulaires.values() if form.errors), None)
        return self.rendre(
            request,
            statut=statut,
            etat=etat,
            peu=etat.actif and etat.codes_restants <= PEU_DE_CODES,
            enrolement=enrolement,
            qr=_en_svg(enrolement.uri) if enrolement else "",
            sans_mot_de_passe=mot_de_passe_recent(request),
            form=faux,
            **contexte,
        )

    def _demarrer(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        mot_de_passe = None if mot_de_passe_recent(request) else donnees["mot_de_passe"]
        services.demarrer(compte=self.compte, mot_de_passe=mot_de_passe)
        request.session[ENROLEMENT] = True
        return vers("espace:second_facteur")

    def _confirmer(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        if ENROLEMENT not in request.session:
            return vers("espace:second_facteur")
        codes = services.confirmer(compte=self.compte, otp=donnees["otp"], session_id=None)
        del request.session[ENROLEMENT]
        self._rester(request, prouve=True)
        return self._donner(request, codes, active=True)

    def _refaire(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        codes = services.refaire_les_codes(compte=self.compte, adresse=cle_adresse(request), **donnees)
        return self._donner(request, codes)

    def _retirer(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        services.retirer(compte=self.compte, adresse=cle_adresse(request), session_id=None, **donnees)
        self._rester(request, prouve=False)
        return vers("espace:second_facteur")

    def _rester(self, request: HttpRequest, *, prouve: bool) -> None:
        """Keep this browser alone signed in, under a new key, where every access of the account has ended."""
        request.session[SECOND_FACTEUR_PROUVE] = prouve
        update_session_auth_hash(request, self.compte)

    def _donner(self, request: HttpRequest, codes: list[str], *, active: bool = False) -> HttpResponse:
        """The recovery codes, in the answer itself: no address shows them again."""
        titre = _("Vos codes de secours")
        return self.rendre(request, gabarit="espace/codes.html", titre=titre, codes=codes, active=active)


def _dire(form: forms.Form, refus: ErreurMetier) -> None:
    champs = {"otp": "otp", "motDePasse": "mot_de_passe"}
    for detail in refus.details or [{"field": "", "message": refus.message}]:
        champ = champs.get(detail["field"])
        form.add_error(champ if champ in form.fields else None, str(detail["message"]))


def _en_svg(texte: str) -> SafeString:
    """The QR code as an element of the page: no style attribute, which the page's policy would not let in."""
    dessin = segno.make(texte, error="m").svg_inline(scale=5, border=4, dark="#000", light="#fff", omitsize=True)
    return mark_safe(dessin)  # noqa: S308 -- drawn from modules, black and white
