"""The last step: all the answers read again, then one transaction that files the report."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from accounts.lectures import qui_paraissent
from discussions.vocabulaire import DOUBLE_CLIC
from equipes.en_vigueur import equipe_qui_lira
from portail.erreurs import BrouillonEfface
from portail.pages import formulaires
from portail.pages.cookies import ACCES, BROUILLON, oublier_les_cookies, poser_le_cookie
from portail.pages.ecarter import dits, ids_de
from portail.pages.page import Page, cle_de_la_page, refuser_un_code, vers
from portail.pages.redaction import (
    MONTRE_TOUT_LE_RECIT,
    PORTE,
    RecitEnCours,
    portees_de,
    pour_ecrire,
    refuser_en_gardant,
)
from portail.services import brouillon, sceau
from portail.services.acces import est_ouvert
from signalements.permissions import cadence_de_signalement
from signalements.serializers import SignalementCreate
from socle.api.exceptions import en_refus
from socle.api.reseau import cle_adresse
from socle.api.serializers import chameau
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides
from socle.pages.formulaires import FormulaireDeSerializer

# The day is sent as a moment, the number apart.
ENVOYES = {"titre", "mode_identification", *formulaires.REPONSES} - {*formulaires.DATE, "telephone"}


class Verifier(Page):
    """All the answers, then one transaction: a session, the report, an access, a code."""

    gabarit = "portail/ecrire/verifier.html"
    titre = _("Relire et envoyer")
    recit: RecitEnCours
    entrer = pour_ecrire
    est_un_dossier = MONTRE_TOUT_LE_RECIT
    refuser = refuser_en_gardant

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        ecrit = self.recit.lire()
        if self.recit.acteur and not self.recit.se_montre:
            return vers("portail:dossiers")  # « Retour » from the receipt: what was sent is there
        if not _est_complet(ecrit):
            return vers("portail:faits")
        titre = ecrit.get("titre") or formulaires.titre_du_type(ecrit.get("type", ""))
        return self._rendre(request, ecrit, self.formulaire(initial={**ecrit, "titre": titre}))

    def post(self, request: HttpRequest) -> HttpResponse:
        acces = brouillon.jeton_d_acces(self.recit.jeton, cle_de_la_page(request))
        montree = request.POST.get("version")
        if brouillon.deja_envoye(self.recit.jeton) and montree in (None, brouillon.version(self.recit.jeton)):
            return self._au_recu(acces)
        if montree and self.recit.acteur and brouillon.est_envoyee(montree):
            return vers("portail:recu")  # from another tab
        self.exiger_l_etape("create")
        avant = "portail:numero" if self.recit.demande_un_numero else "portail:details"
        if ou := self.recit.destination(ici="portail:verifier", avant=avant):
            return self.recit.partir(ou, self.ecrits(request))
        ecrit = self.recit.lire()
        form = self.formulaire(request.POST)
        if montree is not None and (not ecrit or montree != brouillon.version(self.recit.jeton)):
            return self._relire(request, ecrit, form)
        if not _est_complet(ecrit):
            raise BrouillonEfface
        if a_revoir := self._a_revoir(request, ecrit, form):
            return a_revoir
        try:
            self._envoyer(request, {**ecrit, **form.cleaned_data}, acces)
        except (ChampsInvalides, ValidationError) as refus:
            form.accueillir(en_refus(refus).details or [])
            return self._rendre(request, ecrit, form, statut=422)
        return self._au_recu(acces)

    remontrer = post  # the button of the other language is one of those that lead away

    def _a_revoir(self, request: HttpRequest, ecrit: dict[str, Any], form: Any) -> HttpResponse | None:
        """Render the page again where others would read it than it showed, or where a text is refused."""
        if request.POST.get("lecteurs") not in (None, _lecteurs(ecrit)):
            return self._rendre(request, ecrit, form, statut=409, question="lecteurs")
        return None if form.is_valid() else self._rendre(request, ecrit, form, statut=422)

    def _relire(self, request: HttpRequest, present: dict[str, Any], form: FormulaireDeSerializer) -> HttpResponse:
        """Nothing is sent that the page did not show: it is shown again, as it is now."""
        deja = self.recit.portees()
        if present and not self.recit.est_d_un_autre_recit():
            return self._rendre(request, present, form, statut=409, question="change")
        if not _est_complet(deja):
            raise BrouillonEfface
        reponse = HttpResponse()
        self.recit.jeton = self.recit.garder(reponse, "", **deja)
        page = self._rendre(request, deja, form, statut=409, question="garde")
        page.cookies.update(reponse.cookies)
        return page

    def ecrits(self, request: HttpRequest) -> dict[str, Any]:
        """A title that was drawn from the type is drawn again, in the language of then and from the type of then."""
        ecrits = {nom: request.POST.get(nom, "") for nom in self.formulaire.base_fields}
        if formulaires.est_tire_du_type(ecrits["titre"], request.POST.get(f"{PORTE}type", "")):
            ecrits["titre"] = ""
        return {nom: texte for nom, texte in ecrits.items() if texte or nom == "titre"}

    @property
    def formulaire(self) -> type[formulaires.Verification]:
        du_compte = self.acces is not None and self.acces.est_d_un_compte
        return formulaires.VerificationDuCompte if du_compte else formulaires.Verification

    def _envoyer(self, request: HttpRequest, ecrit: dict[str, Any], acces: str) -> None:
        lu = SignalementCreate(data=_corps(ecrit))
        lu.is_valid(raise_exception=True)
        textes = {nom: texte for nom, texte in lu.validated_data.items() if isinstance(texte, str)}
        refuser_un_code(request, self.recit.acteur, **textes)
        telephone = _numero(ecrit) if self.recit.demande_un_numero else None
        if self.recit.acteur is None:
            consommer("guest_session_address", cle_adresse(request))
        brouillon.envoyer(
            self.recit.jeton,
            acteur=self.recit.acteur,
            acces=acces,
            telephone=telephone,
            langue=get_language() or "fr",
            cadence=lambda acteur: cadence_de_signalement(acteur, request),
            **lu.validated_data,
        )

    def _rendre(
        self, request: HttpRequest, ecrit: dict[str, Any], form: Any, statut: int = 200, question: str = ""
    ) -> HttpResponse:
        types = dict(formulaires.types_proposes())
        contexte: dict[str, Any] = {
            "form": form,
            "ecrit": ecrit,
            "type": types.get(ecrit.get("type", "")),
            "date": _quand(ecrit),
            "demande_un_numero": self.recit.demande_un_numero,
            "cle_de_la_page": cle_de_la_page(request) or sceau.tirer_jeton(),
            "question": question,
            "qui_lira": equipe_qui_lira(ecrit.get("type", "")),
            "lecteurs": _lecteurs(ecrit),
            "se_choisissent": bool(qui_paraissent() or ecrit.get("ne_pas_montrer_a")),
            "ne_liront_pas": dits(ecrit),
            "recit": brouillon.recit(self.recit.jeton),
            "version": brouillon.version(self.recit.jeton),
            "portees": portees_de(ecrit),
            **self.recit.contexte("verifier"),
        }
        return self.rendre(request, statut=statut, **contexte)

    def _au_recu(self, acces: str) -> HttpResponse:
        reponse = vers("portail:recu")
        # Else the report went into the access of the cookie that is there; later on, its words are the way back.
        if est_ouvert(acces, depuis=DOUBLE_CLIC):
            poser_le_cookie(reponse, ACCES, acces)
        oublier_les_cookies(reponse, BROUILLON)
        return reponse


def _lecteurs(ecrit: dict[str, Any]) -> str:
    """The mark of who would read it, which the page sends back: others are never let in after it was shown."""
    equipe = equipe_qui_lira(ecrit.get("type", ""))
    return "tous" if equipe is None else equipe.pk.hex


def _numero(ecrit: dict[str, Any]) -> str:
    """The number in E.164, or the refusal of one that is none."""
    numero = formulaires.Numero({"telephone": ecrit.get("telephone", "")})
    if not numero.is_valid():
        raise ChampsInvalides.pour(telephone=numero.errors["telephone"][0])
    telephone: str = numero.cleaned_data["telephone"]
    return telephone


def _quand(ecrit: dict[str, Any]) -> str:
    """The day as it was understood; as it was typed where it was not."""
    if ecrit.get("date_incident"):
        return date_format(datetime.fromisoformat(ecrit["date_incident"]))
    return "/".join(str(ecrit.get(nom) or "").strip() for nom in formulaires.DATE).strip("/")


def _est_complet(ecrit: dict[str, Any]) -> bool:
    return bool(ecrit.get("description") and ecrit.get("type"))


def _corps(ecrit: dict[str, Any]) -> dict[str, Any]:
    """The body of `POST /signalements/` that these answers are; what was left empty is absent."""
    corps = {chameau(nom): ecrit.get(nom) for nom in ENVOYES}
    corps["nePasMontrerA"] = ids_de(ecrit)
    corps["aTemoins"] = True if str(corps["descriptionTemoins"] or "").strip() else None
    return {nom: valeur for nom, valeur in corps.items() if valeur not in (None, "", [])}
