"""Five steps to a report: each is posted, kept in the draft, and followed by a page that can be reloaded."""

import json
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from discussions.vocabulaire import DOUBLE_CLIC
from portail.erreurs import AccesTermine, BrouillonEfface
from portail.pages import formulaires
from portail.pages.base import (
    ACCES,
    BROUILLON,
    Page,
    acces_ouvert,
    brouillon_en_attente,
    cle_de_la_page,
    jeton_de,
    oublier_les_cookies,
    poser_le_cookie,
    vers,
)
from portail.services import brouillon, sceau
from portail.services.acces import acteur_de, est_ouvert
from resources.erreurs import TropEnvoye
from resources.permissions import place_d_un_envoi
from signalements.permissions import cadence_de_signalement
from signalements.serializers import SignalementCreate
from socle.api.exceptions import en_refus
from socle.api.reseau import cle_adresse
from socle.domaine.erreurs import ChampsInvalides
from socle.domaine.limites import consommer
from socle.pages.formulaires import FormulaireDeSerializer

PORTE = "porte_"  # before the name of an answer that a page brings along
TEXTE_MAX = 40_000  # characters of one; the step of each says what it takes


class _PageDEcriture(Page):
    """Open from stage `create` on; closed, it says so beside the emergency contacts."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.jeton = jeton_de(request, BROUILLON)
        return super().dispatch(request, *args, **kwargs)

    def entrer(self, request: HttpRequest) -> None:
        """Read whose draft this may be; AccesTermine where what is posted goes on from a space that has closed."""
        self.acces = acces_ouvert(request)
        self.acteur = acteur_de(self.acces) if self.acces else None
        if request.method == "POST" and brouillon.est_d_un_espace_ferme(self.jeton, acteur=self.acteur):
            raise AccesTermine

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        reponse = super().refuser(request, refus)
        if isinstance(refus, AccesTermine) and request.method == "POST" and (ecrit := self.ecrits(request)):
            # Past what an address may leave here, the text is on the page of the refusal alone.
            with suppress(TropEnvoye), place_d_un_envoi(cle_adresse(request), len(json.dumps(ecrit))):
                nouveau = brouillon.completer_dans_l_espace_ferme(self.jeton, **ecrit)
                poser_le_cookie(reponse, BROUILLON, nouveau)
        return reponse

    def ecrits(self, request: HttpRequest) -> dict[str, Any]:
        """What was typed on this page, as a step keeps it."""
        return {}

    def deja(self, request: HttpRequest) -> dict[str, str]:
        """The answers that the page brought along: what it showed, or what its tab had written before."""
        portees = ((nom, request.POST.get(f"{PORTE}{nom}", "")) for nom in formulaires.REPONSES)
        return {nom: texte[:TEXTE_MAX] for nom, texte in portees if texte}

    def autre_recit(self, request: HttpRequest) -> bool:
        """True where this page tells another story than the draft of the cookie: another tab has begun one, or sent it.

        Each page brings its story along, so that two tabs write two without harm.
        """
        montre = request.POST.get("recit")
        return montre is not None and montre != brouillon.recit(self.jeton)

    def garder_le_recit(self, request: HttpRequest, reponse: HttpResponse, jeton: str, **ecrit: Any) -> str:
        """Complete this draft, and put its token into the cookie; what nobody has sent yet takes room too."""
        with place_d_un_envoi(cle_adresse(request), len(json.dumps(ecrit))):
            nouveau = brouillon.completer(jeton, acteur=self.acteur, **ecrit)
        poser_le_cookie(reponse, BROUILLON, nouveau)
        return nouveau

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {
            **super().commun(request),
            "telephone_exige": settings.PORTAIL_TELEPHONE_EXIGE,
            "brouillon_qui_attend": brouillon_en_attente(request, self.acces),
        }


class Avant(_PageDEcriture):
    """What leaving does, what is kept, how long it takes: before the first question."""

    gabarit = "portail/ecrire/avant.html"
    titre = _("Écrire")

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        return self.rendre(request)


class _Etape(_PageDEcriture):
    formulaire: type[FormulaireDeSerializer]
    avant = ""
    suite = ""

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        ecrit = brouillon.lire(self.jeton, acteur=self.acteur)
        form = self.formulaire(initial=ecrit)
        recit = brouillon.recit(self.jeton) if ecrit else ""
        return self.rendre(request, form=form, recit=recit, portees=_portees(ecrit, form))

    def post(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        form = self.formulaire(request.POST)
        deja = self.deja(request)
        if request.POST.get("vers") in ("aide", "avant"):  # kept as it is: judged when it is sent on
            return self._partir(request, {**deja, **self.ecrits(request)})
        if not form.is_valid():
            recit = request.POST.get("recit", "")
            return self.rendre(request, statut=422, form=form, recit=recit, portees=_portees(deja, form))
        ecrit = {nom: self.garder(nom, form) for nom in form.cleaned_data}
        return self._garder(request, vers(self.apres(request)), {**deja, **ecrit}, ecrit)

    def _partir(self, request: HttpRequest, ecrit: dict[str, Any]) -> HttpResponse:
        """To the help, or a step back, with what was typed kept for the return."""
        reponse = vers("portail:aide" if request.POST["vers"] == "aide" else self.avant)
        return self._garder(request, reponse, ecrit, self.ecrits(request)) if any(ecrit.values()) else reponse

    def _garder(
        self, request: HttpRequest, reponse: HttpResponse, tout: dict[str, Any], ecrit: dict[str, Any]
    ) -> HttpResponse:
        """Into the draft of this story, or into one of its own where the cookie's is another."""
        if self.autre_recit(request) or not brouillon.lire(self.jeton, acteur=self.acteur):
            self.garder_le_recit(request, reponse, "", **tout)
        else:
            self.garder_le_recit(request, reponse, self.jeton, **ecrit)
        return reponse

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().commun(request), "garde_en_partant": True}

    def ecrits(self, request: HttpRequest) -> dict[str, Any]:
        form = self.formulaire(request.POST)
        return {nom: str(form.data.get(nom, ""))[:TEXTE_MAX] for nom in form.fields}

    def apres(self, request: HttpRequest) -> str:
        return self.suite

    def garder(self, nom: str, form: FormulaireDeSerializer) -> Any:
        """What was typed, so that the step shows it again as it was."""
        return form.data.get(nom, "") if nom in form.fields else form.cleaned_data[nom]


class Faits(_Etape):
    gabarit = "portail/ecrire/faits.html"
    titre = _("Ce qui s'est passé")
    formulaire = formulaires.Faits
    avant = "portail:ecrire"
    suite = "portail:details"


class Details(_Etape):
    gabarit = "portail/ecrire/details.html"
    titre = _("Quelques détails")
    formulaire = formulaires.Details
    avant = "portail:faits"

    def apres(self, request: HttpRequest) -> str:
        """Whoever writes about something else has a session already."""
        return "portail:verifier" if self.acteur else "portail:numero"


class Numero(_Etape):
    gabarit = "portail/ecrire/numero.html"
    titre = _("Un numéro de téléphone")
    formulaire = formulaires.Numero
    avant = "portail:details"
    suite = "portail:verifier"


class Verifier(_PageDEcriture):
    """All the answers, then one transaction: a session, the report, an access, a code."""

    gabarit = "portail/ecrire/verifier.html"
    titre = _("Relire et envoyer")

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        ecrit = brouillon.lire(self.jeton, acteur=self.acteur)
        if not _est_complet(ecrit):
            return vers("portail:faits")
        titre = ecrit.get("titre") or formulaires.titre_du_type(ecrit.get("type", ""))
        return self._rendre(request, ecrit, self.formulaire(initial={"titre": titre}))

    def post(self, request: HttpRequest) -> HttpResponse:
        acces = brouillon.jeton_d_acces(self.jeton, cle_de_la_page(request))
        montree = request.POST.get("version")
        if brouillon.deja_envoye(self.jeton) and montree in (None, brouillon.version(self.jeton)):
            return self._au_recu(acces)
        self.exiger_l_etape("create")
        ecrit = brouillon.lire(self.jeton, acteur=self.acteur)
        form = self.formulaire(request.POST)
        if montree is not None and (not ecrit or montree != brouillon.version(self.jeton)):
            return self._relire(request, montree, ecrit, form)
        if not _est_complet(ecrit):
            raise BrouillonEfface
        if not form.is_valid():
            return self._rendre(request, ecrit, form, statut=422)
        try:
            self._envoyer(request, {**ecrit, **form.cleaned_data}, acces)
        except (ChampsInvalides, ValidationError) as refus:
            form.accueillir(en_refus(refus).details or [])
            return self._rendre(request, ecrit, form, statut=422)
        return self._au_recu(acces)

    def _relire(
        self, request: HttpRequest, montree: str, present: dict[str, Any], form: FormulaireDeSerializer
    ) -> HttpResponse:
        """Nothing is sent that the page did not show: what it showed was sent, or is shown again as it is now."""
        if self.acteur and brouillon.est_envoyee(montree):
            return vers("portail:recu")  # from another tab
        deja = self.deja(request)
        if present and not self.autre_recit(request):
            return self._rendre(request, present, form, statut=409, question="change")
        if not _est_complet(deja):
            raise BrouillonEfface
        reponse = HttpResponse()
        self.jeton = self.garder_le_recit(request, reponse, "", **deja)
        page = self._rendre(request, deja, form, statut=409, question="garde")
        page.cookies.update(reponse.cookies)
        return page

    @property
    def formulaire(self) -> type[formulaires.Verification]:
        du_compte = self.acces is not None and self.acces.est_d_un_compte
        return formulaires.VerificationDuCompte if du_compte else formulaires.Verification

    def _envoyer(self, request: HttpRequest, ecrit: dict[str, Any], acces: str) -> None:
        lu = SignalementCreate(data=_corps(ecrit))
        lu.is_valid(raise_exception=True)
        textes = {nom: texte for nom, texte in lu.validated_data.items() if isinstance(texte, str)}
        self.refuser_un_code(request, self.acteur, **textes)
        telephone = None if self.acteur else self._numero(request, ecrit)
        brouillon.envoyer(
            self.jeton,
            acteur=self.acteur,
            acces=acces,
            telephone=telephone,
            langue=get_language() or "fr",
            cadence=lambda acteur: cadence_de_signalement(acteur, request),
            **lu.validated_data,
        )

    def _numero(self, request: HttpRequest, ecrit: dict[str, Any]) -> str | None:
        """The number of a new session, under the limits of its opening."""
        numero = formulaires.Numero({"telephone": ecrit.get("telephone", "")})
        if not numero.is_valid():
            raise ChampsInvalides.pour(telephone=numero.errors["telephone"][0])
        telephone: str | None = numero.cleaned_data["telephone"] or None
        consommer("guest_session_address", cle_adresse(request))
        if telephone:
            consommer("guest_session_phone", f"{telephone} {cle_adresse(request)}")
        return telephone

    def _rendre(
        self,
        request: HttpRequest,
        ecrit: dict[str, Any],
        form: FormulaireDeSerializer,
        statut: int = 200,
        question: str = "",
    ) -> HttpResponse:
        types = dict(formulaires.types_proposes())
        date = "/".join(str(ecrit.get(nom) or "").strip() for nom in ("jour", "mois", "annee")).strip("/")
        contexte: dict[str, Any] = {
            "form": form,
            "ecrit": ecrit,
            "type": types.get(ecrit.get("type", "")),
            "date": date,
            "acces_ouvert": self.acces is not None,
            "cle_de_la_page": cle_de_la_page(request) or sceau.tirer_jeton(),
            "question": question,
            "recit": brouillon.recit(self.jeton),
            "version": brouillon.version(self.jeton),
            "portees": _portees(ecrit, None),
        }
        return self.rendre(request, statut=statut, **contexte)

    def _au_recu(self, acces: str) -> HttpResponse:
        reponse = vers("portail:recu")
        # Else the report went into the access of the cookie that is there; later on, its words are the way back.
        if est_ouvert(acces, depuis=DOUBLE_CLIC):
            poser_le_cookie(reponse, ACCES, acces)
        oublier_les_cookies(reponse, BROUILLON)
        return reponse


def _portees(ecrit: dict[str, Any], form: FormulaireDeSerializer | None) -> list[tuple[str, str]]:
    """What a page brings along beside its own fields, as hidden ones."""
    propres = form.fields if form is not None else {}
    return [(f"{PORTE}{nom}", str(ecrit[nom])) for nom in formulaires.REPONSES if ecrit.get(nom) and nom not in propres]


def _est_complet(ecrit: dict[str, Any]) -> bool:
    return bool(ecrit.get("description") and ecrit.get("type"))


def _corps(ecrit: dict[str, Any]) -> dict[str, Any]:
    """The body of `POST /signalements/` that these answers are; what was left empty is absent."""
    corps = {
        "titre": ecrit["titre"],
        "description": ecrit.get("description"),
        "type": ecrit.get("type"),
        "modeIdentification": ecrit.get("mode_identification"),
        "dateIncident": ecrit.get("date_incident"),
        "lieuIncident": ecrit.get("lieu_incident"),
        "auteurPresume": ecrit.get("auteur_presume"),
        "descriptionTemoins": ecrit.get("description_temoins"),
    }
    corps["aTemoins"] = True if str(corps["descriptionTemoins"] or "").strip() else None
    return {nom: valeur for nom, valeur in corps.items() if valeur not in (None, "")}
