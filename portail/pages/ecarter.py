"""« Qui ne doit pas lire ? »: asked of a report before it is sent, and on the page of a case that was."""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.lectures import qui_paraissent
from portail.pages.dossiers import dossier_du_rang, est_une_cle, place_de
from portail.pages.page import Page, vers
from portail.pages.redaction import MONTRE_LE_RECIT, RecitEnCours, portees_de, pour_ecrire, refuser_en_gardant
from portail.services import brouillon
from signalements import ecarts
from signalements.erreurs import DemandesChangees
from signalements.models import Signalement
from signalements.serializers import NePasMontrerUpdate
from socle.erreurs import ChampsInvalides
from socle.pages.formulaires import FormulaireDeSerializer

NOM = "ne_pas_montrer_a"
TITRE = _("Qui ne doit pas lire ?")


class QuiNeLitPas(FormulaireDeSerializer):
    """A box for each of the staff who agreed to be named, and for those that were chosen before."""

    serializer = NePasMontrerUpdate
    textes: ClassVar = {(NOM, "max_length"): _("Vingt personnes au plus.")}

    ne_pas_montrer_a = forms.MultipleChoiceField(
        label=_("Ces personnes ne doivent pas lire"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"autocomplete": "off"}),
        error_messages={"invalid_choice": _("Choisissez des personnes de la liste, comme elle est à présent.")},
    )

    def __init__(self, *args: Any, deja: Iterable[tuple[str, str]] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields[NOM]
        proposes = [(str(un.id), _dite(un.prenom, un.nom, un.fonction)) for un in qui_paraissent()]
        champ.choices = list({cle: (cle, dit) for cle, dit in (*deja, *proposes)}.values())


class AvantDEnvoyer(Page):
    """Before the report is sent; the page that sends it says who is chosen."""

    gabarit = "portail/ecrire/lecteurs.html"
    titre = TITRE
    recit: RecitEnCours
    entrer = pour_ecrire
    est_un_dossier = MONTRE_LE_RECIT
    refuser = refuser_en_gardant

    def get(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        ecrit = self.recit.lire()
        form = QuiNeLitPas(initial={NOM: ids_de(ecrit)})
        return self._rendre(request, form, brouillon.recit(self.recit.jeton) if ecrit else "", ecrit)

    def post(self, request: HttpRequest) -> HttpResponse:
        self.exiger_l_etape("create")
        if ou := self.recit.destination(ici="portail:ne_pas_montrer", avant="portail:verifier"):
            return self.recit.partir(ou, self.ecrits(request))
        deja, form = self.recit.portees(), QuiNeLitPas(request.POST)
        if not form.is_valid():
            return self._rendre(request, form, request.POST.get("recit", ""), deja, statut=422)
        ecrit = self.ecrits(request)
        return self.recit.mener("portail:verifier", {**deja, **ecrit}, ecrit)

    remontrer = post  # the button of the other language is one of those that lead away

    def ecrits(self, request: HttpRequest) -> dict[str, Any]:
        return {NOM: ",".join(request.POST.getlist(NOM))}

    def _rendre(
        self, request: HttpRequest, form: Any, recit: str, ecrit: dict[str, Any], statut: int = 200
    ) -> HttpResponse:
        contexte = {"form": form, "recit": recit, "portees": portees_de(ecrit, [NOM])}
        return self.rendre(request, statut=statut, **contexte, **self.recit.contexte("verifier"))


class DuDossier(Page):
    """Of a case that was sent, whose author alone adds somebody, and takes it back."""

    gabarit = "portail/lecteurs.html"
    titre = TITRE
    est_un_dossier = True

    def get(self, request: HttpRequest, rang: int) -> HttpResponse:
        return self._montrer(request, rang, fait=_("C'est noté.") if "fait" in request.GET else "")

    def remontrer(self, request: HttpRequest, rang: int) -> HttpResponse:
        return self._montrer(request, self._place(request, rang), choisis=request.POST.getlist(NOM))

    def post(self, request: HttpRequest, rang: int) -> HttpResponse:
        self.exiger_l_etape("create")
        rang = self._place(request, rang)
        dossier = dossier_du_rang(self.acteur, rang)
        form = QuiNeLitPas(request.POST, deja=_deja(dossier))
        if form.is_valid():
            try:
                vus = ids_de({NOM: request.POST.get("vus", "")})
                ecarts.ne_pas_montrer(
                    signalement=dossier,
                    acteur=self.acteur,
                    vus=map(UUID, filter(est_une_cle, vus)),
                    **form.cleaned_data,
                )
            except DemandesChangees as refus:
                return self._redemander(request, rang, dossier, refus)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            else:
                return vers("portail:lecteurs", rang, suite="?fait#fait")
        return self._montrer(request, rang, statut=422, form=form)

    def _redemander(
        self, request: HttpRequest, rang: int, dossier: Signalement, refus: DemandesChangees
    ) -> HttpResponse:
        """The list again, its boxes ticked by either tab."""
        choisis = {*request.POST.getlist(NOM), *(cle for cle, _nom in _deja(dossier))}
        return self._montrer(request, rang, statut=refus.statut_http, choisis=sorted(choisis), change=refus.message)

    def _place(self, request: HttpRequest, rang: int) -> int:
        return place_de(self.acteur, rang, request.POST.get("dossier", ""))

    def _montrer(
        self,
        request: HttpRequest,
        rang: int,
        statut: int = 200,
        choisis: list[str] | None = None,
        form: Any = None,
        **contexte: Any,
    ) -> HttpResponse:
        dossier = dossier_du_rang(self.acteur, rang)
        deja = _deja(dossier)
        if form is None:
            form = QuiNeLitPas(deja=deja, initial={NOM: [cle for cle, _nom in deja] if choisis is None else choisis})
        vus = ",".join(cle for cle, _nom in deja)
        return self.rendre(request, statut=statut, form=form, dossier=dossier, rang=rang, vus=vus, **contexte)


def ids_de(ecrit: dict[str, Any]) -> list[str]:
    """The accounts that a draft names, as it keeps them in one answer."""
    return [un for un in str(ecrit.get(NOM) or "").split(",") if un]


def dits(ecrit: dict[str, Any]) -> list[str]:
    """Names of those whom a draft names and who may still be."""
    choisis = set(ids_de(ecrit))
    return [f"{un.prenom} {un.nom}".strip() for un in qui_paraissent() if str(un.id) in choisis]


def _deja(dossier: Signalement) -> list[tuple[str, str]]:
    return [(str(une.compte_id), une.compte.nom_complet) for une in ecarts.demandes(dossier)]


def _dite(prenom: str, nom: str, fonction: str | None) -> str:
    return ", ".join(mot for mot in (f"{prenom} {nom}".strip(), fonction) if mot)
