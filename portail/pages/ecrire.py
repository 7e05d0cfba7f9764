"""The steps to a report: each is posted, kept in the draft, and followed by a page that can be reloaded."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.forms import Textarea
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.lectures import qui_paraissent
from portail.pages import formulaires
from portail.pages.cookies import BROUILLON, oublier_les_cookies, poser_le_cookie
from portail.pages.page import Page, vers
from portail.pages.redaction import (
    GARDER,
    MONTRE_LE_RECIT,
    REPRENDRE,
    RecitEnCours,
    portees_de,
    pour_ecrire,
    refuser_en_gardant,
)
from portail.services import brouillon
from reponses.selections import orientations
from socle.api.reseau import cle_adresse
from socle.pages.formulaires import FormulaireDeSerializer

PROPOSE = "propose"  # a page that asks about what was being typed
Reponses = dict[str, Any]


class Avant(Page):
    """Page before the first question: what leaving does, what is kept, how long it takes."""

    http_method_names = ["get", "head"]  # it has no form
    gabarit = "portail/ecrire/avant.html"
    titre = _("Écrire")
    recit: RecitEnCours
    entrer = pour_ecrire
    est_un_dossier = MONTRE_LE_RECIT

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        return self.rendre(request, **self.recit.contexte())


@dataclass(frozen=True)
class QuestionPosee:
    """Question of one step, with the steps before and after it."""

    nom: str  # of its address and of its template
    titre: Any
    formulaire: type[FormulaireDeSerializer]
    avant: str
    apres: str
    deduire: Callable[[Reponses], Reponses] = dict  # these answers, with what follows from them


def _dater(reponses: Reponses) -> Reponses:
    """The day that they tell now: the one of before is not sent in its place."""
    with suppress(ValueError):
        return {**reponses, "date_incident": formulaires.midi_de(reponses)}
    return {**reponses, "date_incident": None}


FAITS = QuestionPosee("faits", _("Ce qui s'est passé"), formulaires.Faits, "portail:ecrire", "portail:details")
DETAILS = QuestionPosee(
    "details", _("Quelques détails"), formulaires.Details, "portail:faits", "portail:numero", deduire=_dater
)
NUMERO = QuestionPosee("numero", _("Un numéro de téléphone"), formulaires.Numero, "portail:details", "portail:verifier")


class Etape(Page):
    """A step: its question is the one of its address."""

    question = FAITS
    recit: RecitEnCours
    entrer = pour_ecrire
    est_un_dossier = MONTRE_LE_RECIT
    refuser = refuser_en_gardant

    @property
    def ici(self) -> str:
        return f"portail:{self.question.nom}"

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        if self._est_passee():
            return vers(self.question.apres)
        ecrit = self.recit.lire()
        form = self.question.formulaire(initial=ecrit)
        saisi = bool(self._saisi())
        recit = brouillon.recit(self.recit.jeton) if ecrit or saisi else ""
        return self._rendre(request, form, saisi=saisi, recit=recit, portees=portees_de(ecrit, form.fields))

    def post(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        if GARDER in request.POST:
            return self._garder_la_saisie(request)
        if REPRENDRE in request.POST:
            return self._reprendre(request)
        if ou := self.recit.destination(ici=self.ici, avant=self.question.avant):
            return self.recit.partir(ou, self.ecrits(request))
        if self._est_passee():
            return self.recit.mener(self.question.apres, self.recit.portees(), {})
        form = self.question.formulaire(request.POST)
        deja = self.recit.portees()
        if not form.is_valid():
            recit = request.POST.get("recit", "")
            portees, saisi = portees_de(deja, form.fields), PROPOSE in request.POST
            return self._rendre(request, form, statut=422, saisi=saisi, recit=recit, portees=portees)
        # What was typed, so that the step shows it again as it was.
        ecrit = {nom: form.data.get(nom, "") if nom in form.fields else un for nom, un in form.cleaned_data.items()}
        ou = NUMERO.apres if self.question is DETAILS and not self.recit.demande_un_numero else self.question.apres
        return self.recit.mener(ou, {**deja, **ecrit}, ecrit)

    remontrer = post  # the button of the other language is one of those that lead away

    def _est_passee(self) -> bool:
        """True of the page of the number where none is asked: its address leads on."""
        return self.question is NUMERO and not self.recit.demande_un_numero

    def _rendre(self, request: HttpRequest, form: Any, *, saisi: bool, **contexte: Any) -> HttpResponse:
        """A page that asks about what was being typed does not write over it."""
        est_garde = self.acces is not None and self.acces.est_garde
        contexte |= self.recit.contexte(self.question.nom) | {
            "titre": self.question.titre,
            "form": form,
            "saisi": saisi,
        }
        contexte["garde_la_saisie"] = not saisi and not est_garde
        contexte["paraissent"] = self.question is DETAILS and bool(qui_paraissent())
        contexte["orientations"] = orientations(get_language() or "fr") if self.question is FAITS else []
        return self.rendre(request, gabarit=f"portail/ecrire/{self.question.nom}.html", **contexte)

    def _garder_la_saisie(self, request: HttpRequest) -> HttpResponse:
        """Answer the story's name to the script of the page; 409 where nothing is to be kept so.

        Never where the space is kept on a device, nor over what another tab tells.
        """
        ici = self.recit
        if (self.acces is not None and self.acces.est_garde) or ici.est_d_un_autre_recit():
            return HttpResponse(status=409)
        saisi = self.ecrits(request)
        ancien = {**ici.lire(), **self._saisi()}
        with brouillon.place(ici.acteur, cle_adresse(request), saisi, au_lieu_de=ancien):
            nouveau = brouillon.noter_la_saisie(ici.jeton, acteur=ici.acteur, etape=self.ici, saisi=saisi)
        reponse = HttpResponse(brouillon.recit(nouveau), content_type="text/plain")
        if nouveau:
            poser_le_cookie(reponse, BROUILLON, nouveau)
        else:
            oublier_les_cookies(reponse, BROUILLON)
        return reponse

    def _reprendre(self, request: HttpRequest) -> HttpResponse:
        """Make an answer of what was being typed, or drop it; what was typed since, beside the question, stays."""
        saisi = self._saisi() if request.POST[REPRENDRE] == "oui" else {}
        deja = {**self.recit.portees(), **self.recit.lire()}
        tapes = self.ecrits(request).items()
        ecrit = self.question.deduire({nom: self._ensemble(nom, saisi, deja, un) for nom, un in tapes})
        if any(ecrit.values()) or deja:
            return self.recit.mener(self.ici, {**deja, **ecrit}, ecrit)
        reponse = vers(self.ici)
        if not self.recit.est_d_un_autre_recit():
            brouillon.effacer(self.recit.jeton)
            oublier_les_cookies(reponse, BROUILLON)
        return reponse

    def _saisi(self) -> Reponses:
        return brouillon.saisies(self.recit.jeton, acteur=self.recit.acteur).get(self.ici, {})

    def _ensemble(self, nom: str, saisi: Reponses, deja: Reponses, tape: Any) -> Any:
        """Join what was being typed to what was typed since, where the page did not show that; of a line, keep one."""
        avant, apres = saisi.get(nom), tape if tape != deja.get(nom) else ""
        champ = self.question.formulaire.base_fields.get(nom)
        if avant and apres and avant != apres and champ is not None and isinstance(champ.widget, Textarea):
            return f"{avant}\n\n{apres}"
        return apres or avant or tape

    def ecrits(self, request: HttpRequest) -> Reponses:
        """Return the answers typed on this page, as a step keeps them."""
        form = self.question.formulaire(request.POST)
        return self.question.deduire({nom: str(form.data.get(nom, "")) for nom in form.fields})
