"""Five steps to a report: each is posted, kept in the draft, and followed by a page that can be reloaded."""

import json
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
    jeton_de,
    oublier_les_cookies,
    poser_le_cookie,
    vers,
)
from portail.services import brouillon
from portail.services.acces import acteur_de, est_ouvert
from resources.permissions import place_d_un_envoi
from signalements.permissions import cadence_de_signalement
from signalements.serializers import SignalementCreate
from socle.api.exceptions import en_refus
from socle.api.reseau import cle_adresse
from socle.domaine.erreurs import ChampsInvalides
from socle.domaine.limites import consommer
from socle.pages.formulaires import FormulaireDeSerializer


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

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().commun(request), "telephone_exige": settings.PORTAIL_TELEPHONE_EXIGE}


class Avant(_PageDEcriture):
    """What leaving does, what is kept, how long it takes: before the first question."""

    gabarit = "portail/ecrire/avant.html"
    titre = _("Écrire")

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        return self.rendre(request)


class _Etape(_PageDEcriture):
    formulaire: type[FormulaireDeSerializer]
    suite = ""

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        return self.rendre(request, form=self.formulaire(initial=brouillon.lire(self.jeton, acteur=self.acteur)))

    def post(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        form = self.formulaire(request.POST)
        if not form.is_valid():
            return self.rendre(request, statut=422, form=form)
        ecrit = {nom: self.garder(nom, form) for nom in form.cleaned_data}
        # What nobody has sent yet takes room too: it counts with the files of the same address.
        with place_d_un_envoi(cle_adresse(request), len(json.dumps(ecrit))):
            jeton = brouillon.completer(self.jeton, acteur=self.acteur, **ecrit)
        reponse = vers(self.apres(request))
        poser_le_cookie(reponse, BROUILLON, jeton)
        return reponse

    def apres(self, request: HttpRequest) -> str:
        return self.suite

    def garder(self, nom: str, form: FormulaireDeSerializer) -> Any:
        """What was typed, so that the step shows it again as it was."""
        return form.data.get(nom, "") if nom in form.fields else form.cleaned_data[nom]


class Faits(_Etape):
    gabarit = "portail/ecrire/faits.html"
    titre = _("Ce qui s'est passé")
    formulaire = formulaires.Faits
    suite = "portail:details"


class Details(_Etape):
    gabarit = "portail/ecrire/details.html"
    titre = _("Quelques détails")
    formulaire = formulaires.Details

    def apres(self, request: HttpRequest) -> str:
        """Whoever writes about something else has a session already."""
        return "portail:verifier" if self.acteur else "portail:numero"


class Numero(_Etape):
    gabarit = "portail/ecrire/numero.html"
    titre = _("Un numéro de téléphone")
    formulaire = formulaires.Numero
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
        if brouillon.deja_envoye(self.jeton):
            return self._au_recu()
        self.exiger_l_etape("create")
        ecrit = brouillon.lire(self.jeton, acteur=self.acteur)
        if not ecrit and self.acteur:
            return vers("portail:recu")  # sent a moment ago, from another tab
        if not _est_complet(ecrit):
            raise BrouillonEfface
        form = self.formulaire(request.POST)
        if not form.is_valid():
            return self._rendre(request, ecrit, form, statut=422)
        try:
            self._envoyer(request, {**ecrit, **form.cleaned_data})
        except (ChampsInvalides, ValidationError) as refus:
            form.accueillir(en_refus(refus).details or [])
            return self._rendre(request, ecrit, form, statut=422)
        return self._au_recu()

    @property
    def formulaire(self) -> type[formulaires.Verification]:
        du_compte = self.acces is not None and self.acces.est_d_un_compte
        return formulaires.VerificationDuCompte if du_compte else formulaires.Verification

    def _envoyer(self, request: HttpRequest, ecrit: dict[str, Any]) -> None:
        lu = SignalementCreate(data=_corps(ecrit))
        lu.is_valid(raise_exception=True)
        textes = {nom: texte for nom, texte in lu.validated_data.items() if isinstance(texte, str)}
        self.refuser_un_code(request, self.acteur, **textes)
        telephone = None if self.acteur else self._numero(request, ecrit)
        brouillon.envoyer(
            self.jeton,
            acteur=self.acteur,
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
        self, request: HttpRequest, ecrit: dict[str, Any], form: FormulaireDeSerializer, statut: int = 200
    ) -> HttpResponse:
        types = dict(formulaires.types_proposes())
        date = "/".join(str(ecrit.get(nom) or "").strip() for nom in ("jour", "mois", "annee")).strip("/")
        contexte: dict[str, Any] = {
            "form": form,
            "ecrit": ecrit,
            "type": types.get(ecrit.get("type", "")),
            "date": date,
            "acces_ouvert": self.acces is not None,
        }
        return self.rendre(request, statut=statut, **contexte)

    def _au_recu(self) -> HttpResponse:
        reponse = vers("portail:recu")
        jeton = brouillon.jeton_d_acces(self.jeton)
        # Else the report went into the access of the cookie that is there; later on, its words are the way back.
        if est_ouvert(jeton, depuis=DOUBLE_CLIC):
            poser_le_cookie(reponse, ACCES, jeton)
        oublier_les_cookies(reponse, BROUILLON)
        return reponse


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
