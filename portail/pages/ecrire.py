"""The steps to a report: each is posted, kept in the draft, and followed by a page that can be reloaded."""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.forms import Textarea
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from portail.erreurs import AccesTermine
from portail.pages import formulaires
from portail.pages.base import (
    BROUILLON,
    Page,
    acces_ouvert,
    brouillon_en_attente,
    jeton_de,
    oublier_les_cookies,
    poser_le_cookie,
    vers,
)
from portail.services import brouillon
from portail.services.acces import acteur_de
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur
from socle.erreurs import TropDeRequetes
from socle.pages.formulaires import FormulaireDeSerializer

RECITS = ("description", "description_temoins")  # bounded by the body of the request alone: nothing is cut unsaid
LIGNE_MAX = 40_000  # characters of another answer that a page brings along
PORTE = "porte_"  # before the name of an answer that a page brings along
A_LIRE = ("accueil", "aide", "securite", "qui_lit", "accessibilite", "dossiers", "acces", "terminer")  # from any step
AILLEURS = {nom: f"portail:{nom}" for nom in ("faits", "details", "numero", *A_LIRE)}
# Sent by the script of a page by itself; a button; a page that asks about what was being typed.
GARDER, REPRENDRE, PROPOSE = "garder", "reprendre", "propose"


class PageDEcriture(Page):
    """Open from stage `create` on; closed, it says so beside the emergency contacts."""

    acteur: Acteur | None = None
    ici = avant = ""  # names of this page and of the one before

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.jeton = jeton_de(request, BROUILLON)
        return super().dispatch(request, *args, **kwargs)

    def entrer(self, request: HttpRequest) -> None:
        """Read whose draft this may be; AccesTermine where what is posted goes on from a space that has closed."""
        self.acces = acces_ouvert(request)
        self.acteur = acteur_de(self.acces) if self.acces else None
        if request.method == "POST" and "sans_espace" not in request.POST:
            espace = request.POST.get("espace", "")
            if brouillon.est_d_un_espace_ferme(self.jeton, acteur=self.acteur, espace=espace):
                raise AccesTermine

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        reponse = super().refuser(request, refus)
        if isinstance(refus, AccesTermine) and request.method == "POST" and GARDER not in request.POST:
            self._garder_pour_l_espace(request, reponse)
        return reponse

    def _garder_pour_l_espace(self, request: HttpRequest, reponse: HttpResponse) -> None:
        """Sealed until it opens again; past what an address may leave here, the text is on this page alone."""
        autre = self.autre_recit(request)
        ecrit = {**(self.deja(request) if autre else {}), **self.ecrits(request)}
        if any(ecrit.values()):
            espace = request.POST.get("espace", "")
            with suppress(TropDeRequetes), brouillon.place(None, cle_adresse(request), ecrit):
                nouveau = brouillon.completer_dans_l_espace_ferme("" if autre else self.jeton, espace=espace, **ecrit)
                poser_le_cookie(reponse, BROUILLON, nouveau)

    def ecrits(self, request: HttpRequest) -> dict[str, Any]:
        """What was typed on this page, as a step keeps it."""
        return {}

    def deja(self, request: HttpRequest) -> dict[str, str]:
        """The answers that the page brought along: what it showed, or what its tab had written before."""
        portees = ((nom, request.POST.get(f"{PORTE}{nom}", "")) for nom in formulaires.REPONSES)
        return {nom: texte if nom in RECITS else texte[:LIGNE_MAX] for nom, texte in portees if texte}

    def autre_recit(self, request: HttpRequest) -> bool:
        """True where this page tells another story than the draft of the cookie: another tab has begun one, or sent it.

        Each page brings its story along, so that two tabs write two without harm.
        """
        montre = request.POST.get("recit")
        return montre is not None and montre != brouillon.recit(self.jeton)

    def garder_le_recit(self, request: HttpRequest, reponse: HttpResponse, jeton: str, **ecrit: Any) -> str:
        """Complete this draft, and put its token into the cookie; what nobody has sent yet takes room too."""
        with brouillon.place(self.acteur, cle_adresse(request), ecrit):
            nouveau = brouillon.completer(jeton, acteur=self.acteur, **ecrit)
        poser_le_cookie(reponse, BROUILLON, nouveau)
        return nouveau

    def destination(self, request: HttpRequest) -> str:
        """Where a button of this form leads before it is sent on, "" for no such button."""
        demandee = request.POST.get("vers", "")
        menent = {"avant": self.avant, **AILLEURS, **dict.fromkeys(dict(settings.LANGUAGES), self.ici)}
        return menent.get(demandee, "")

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.post(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        raise NotImplementedError

    def partir(self, request: HttpRequest, ou: str) -> HttpResponse:
        """Away with what was typed kept for the return as it is: it is judged when it is sent on."""
        reponse, ecrit = vers(ou), self.ecrits(request)
        tout = {**self.deja(request), **ecrit}
        return self.garder_en_partant(request, reponse, tout, ecrit) if any(tout.values()) else reponse

    def garder_en_partant(
        self, request: HttpRequest, reponse: HttpResponse, tout: dict[str, Any], ecrit: dict[str, Any]
    ) -> HttpResponse:
        """Into the draft of this story, or into one of its own where the cookie's is another."""
        if self.autre_recit(request) or not brouillon.est_commence(self.jeton, acteur=self.acteur):
            self.garder_le_recit(request, reponse, "", **tout)
        else:
            self.garder_le_recit(request, reponse, self.jeton, **ecrit)
        return reponse

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {
            **super().commun(request),
            "telephone_exige": settings.PORTAIL_TELEPHONE_EXIGE,
            "brouillon_qui_attend": brouillon_en_attente(request, self.acces),
            "espace_de_la_page": brouillon.sceller_l_espace(self.acteur),
            "sans_espace": True,
        }


class Avant(PageDEcriture):
    """What leaving does, what is kept, how long it takes: before the first question."""

    http_method_names = ["get", "head"]  # it has no form
    gabarit = "portail/ecrire/avant.html"
    titre = _("Écrire")

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        return self.rendre(request)


class _Etape(PageDEcriture):
    formulaire: type[FormulaireDeSerializer]
    se_remontre = True
    suite = ""

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        ecrit = brouillon.lire(self.jeton, acteur=self.acteur)
        form = self.formulaire(initial=ecrit)
        saisi = bool(self._saisi())
        recit = brouillon.recit(self.jeton) if ecrit or saisi else ""
        return self._rendre(request, form, saisi=saisi, recit=recit, portees=portees_de(ecrit, form))

    def post(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        if GARDER in request.POST:
            return self._garder_la_saisie(request)
        if REPRENDRE in request.POST:
            return self._reprendre(request)
        if ou := self.destination(request):
            return self.partir(request, ou)
        form = self.formulaire(request.POST)
        deja = self.deja(request)
        if not form.is_valid():
            recit = request.POST.get("recit", "")
            portees, saisi = portees_de(deja, form), PROPOSE in request.POST
            return self._rendre(request, form, statut=422, saisi=saisi, recit=recit, portees=portees)
        ecrit = {nom: self.garder(nom, form) for nom in form.cleaned_data}
        return self.garder_en_partant(request, vers(self.apres(request)), {**deja, **ecrit}, ecrit)

    def _rendre(self, request: HttpRequest, form: Any, *, saisi: bool, **contexte: Any) -> HttpResponse:
        """A page that asks about what was being typed does not write over it."""
        est_garde = self.acces is not None and self.acces.est_garde
        return self.rendre(request, form=form, saisi=saisi, garde_la_saisie=not saisi and not est_garde, **contexte)

    def _garder_la_saisie(self, request: HttpRequest) -> HttpResponse:
        """Answer the story's name to the script of the page; 409 where nothing is to be kept so.

        Never where the space is kept on a device, nor over what another tab tells.
        """
        if (self.acces is not None and self.acces.est_garde) or self.autre_recit(request):
            return HttpResponse(status=409)
        saisi = self.ecrits(request)
        ancien = {**brouillon.lire(self.jeton, acteur=self.acteur), **self._saisi()}
        with brouillon.place(self.acteur, cle_adresse(request), saisi, au_lieu_de=ancien):
            nouveau = brouillon.noter_la_saisie(self.jeton, acteur=self.acteur, etape=self.ici, saisi=saisi)
        reponse = HttpResponse(brouillon.recit(nouveau), content_type="text/plain")
        if nouveau:
            poser_le_cookie(reponse, BROUILLON, nouveau)
        else:
            oublier_les_cookies(reponse, BROUILLON)
        return reponse

    def _reprendre(self, request: HttpRequest) -> HttpResponse:
        """What was being typed is an answer again, or is gone; what was typed since, beside the question, stays."""
        saisi = self._saisi() if request.POST[REPRENDRE] == "oui" else {}
        deja = {**self.deja(request), **brouillon.lire(self.jeton, acteur=self.acteur)}
        ecrit = self.completer({nom: self._ensemble(nom, saisi, deja, un) for nom, un in self.ecrits(request).items()})
        reponse = vers(self.ici)
        if any(ecrit.values()) or deja:
            return self.garder_en_partant(request, reponse, {**deja, **ecrit}, ecrit)
        if not self.autre_recit(request):
            brouillon.effacer(self.jeton)
            oublier_les_cookies(reponse, BROUILLON)
        return reponse

    def _saisi(self) -> dict[str, Any]:
        return brouillon.saisies(self.jeton, acteur=self.acteur).get(self.ici, {})

    def _ensemble(self, nom: str, saisi: dict[str, Any], deja: dict[str, Any], tape: Any) -> Any:
        """What was being typed, then what was typed since, where that is not what the page showed; of a line, one."""
        avant, apres = saisi.get(nom), tape if tape != deja.get(nom) else ""
        champ = self.formulaire.base_fields.get(nom)
        if avant and apres and avant != apres and champ is not None and isinstance(champ.widget, Textarea):
            return f"{avant}\n\n{apres}"
        return apres or avant or tape

    def ecrits(self, request: HttpRequest) -> dict[str, Any]:
        form = self.formulaire(request.POST)
        return self.completer({nom: str(form.data.get(nom, "")) for nom in form.fields})

    def completer(self, ecrit: dict[str, Any]) -> dict[str, Any]:
        """With what follows from these answers."""
        return ecrit

    def apres(self, request: HttpRequest) -> str:
        return self.suite

    def garder(self, nom: str, form: FormulaireDeSerializer) -> Any:
        """What was typed, so that the step shows it again as it was."""
        return form.data.get(nom, "") if nom in form.fields else form.cleaned_data[nom]


class Faits(_Etape):
    gabarit = "portail/ecrire/faits.html"
    ici = "portail:faits"
    titre = _("Ce qui s'est passé")
    formulaire = formulaires.Faits
    avant = "portail:ecrire"
    suite = "portail:details"


class Details(_Etape):
    gabarit = "portail/ecrire/details.html"
    ici = "portail:details"
    titre = _("Quelques détails")
    formulaire = formulaires.Details
    avant = "portail:faits"

    def completer(self, ecrit: dict[str, Any]) -> dict[str, Any]:
        """With the day that they tell now: the one of before is not sent in its place."""
        with suppress(ValueError):
            return {**ecrit, "date_incident": formulaires.midi_de(ecrit)}
        return {**ecrit, "date_incident": None}

    def apres(self, request: HttpRequest) -> str:
        """Whoever writes about something else has a session already."""
        return "portail:verifier" if self.acteur else "portail:numero"


class Numero(_Etape):
    gabarit = "portail/ecrire/numero.html"
    ici = "portail:numero"
    titre = _("Un numéro de téléphone")
    formulaire = formulaires.Numero
    avant = "portail:details"
    suite = "portail:verifier"


def portees_de(ecrit: dict[str, Any], form: FormulaireDeSerializer | None) -> list[tuple[str, str]]:
    """What a page brings along beside its own fields, as hidden ones."""
    propres = form.fields if form is not None else {}
    return [(f"{PORTE}{nom}", str(ecrit[nom])) for nom in formulaires.REPONSES if ecrit.get(nom) and nom not in propres]
