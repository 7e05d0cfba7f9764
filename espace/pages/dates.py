"""The dates of one case: an acknowledgement and feedback that messages keep, a meeting, the campus's own."""

from typing import Any, cast

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from echeances import services
from echeances.models import Echeance
from echeances.permissions import echeance_a_traiter
from echeances.serializers import DateTenueUpdate, EntretienCreate, ProlongationUpdate
from echeances.vocabulaire import NatureDelai
from espace.pages.base import PageDEquipe
from espace.pages.dossier import uuid_lu
from espace.pages.formulaires import ECRIT
from signalements.dates import DateMontree, dates_montrees
from signalements.models import Signalement
from signalements.permissions import signalement_a_traiter
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, Conflit
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.vues import vers


def _jour(etiquette: Any) -> forms.CharField:
    widget = forms.DateInput(attrs={"type": "date", "autocomplete": "off"})
    return forms.CharField(label=etiquette, required=False, widget=widget)


class Entretien(FormulaireDeSerializer):
    serializer = EntretienCreate
    pour_le = _jour(_("Pour le, au plus tard"))


class Tenue(FormulaireDeSerializer):
    serializer = DateTenueUpdate
    faite_le = _jour(_("Fait le"))


class Prolongation(FormulaireDeSerializer):
    serializer = ProlongationUpdate
    pour_le = _jour(_("Nouvelle date"))
    motif = forms.CharField(
        label=_("Pourquoi"),
        required=False,
        help_text=_("Qui a signalé le lit."),
        widget=forms.TextInput(attrs=ECRIT),
    )


FORMES: dict[str, type[FormulaireDeSerializer]] = {
    "entretien": Entretien,
    "faite": Tenue,
    "prolongation": Prolongation,
}


class Dates(PageDEquipe):
    gabarit = "espace/dates.html"
    titre = _("Dates de ce dossier")
    droit = Droit.SIGNALEMENTS_TRAITER

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = signalement_a_traiter(self.acteur, dossier_id)
        if dossier.pk != dossier_id:  # joined to another
            return vers("espace:dates", dossier.pk, suite=self.dans)
        return self.montrer(request, dossier)

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = signalement_a_traiter(self.acteur, dossier_id)
        acte, cle = request.POST.get("acte", ""), request.POST.get("date", "")
        if acte not in FORMES:
            return self.montrer(request, dossier, statut=422)
        form = FORMES[acte](request.POST, prefix=_prefixe(acte, cle))
        if form.is_valid():
            try:
                self._faire(acte, dossier, cle, form.cleaned_data)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            except Conflit as refus:  # somebody has done it since: the page shows what is there now, and what was typed
                return self.montrer(request, dossier, statut=refus.statut_http, form=form, phrase=refus.message_de_page)
            else:
                return vers("espace:dates", dossier.pk, suite=f"{self.dans}{'&' if self.dans else '?'}fait#fait")
        return self.montrer(request, dossier, statut=422, form=form)

    def _faire(self, acte: str, dossier: Signalement, cle: str, saisi: dict[str, Any]) -> None:
        donnees = {nom: valeur for nom, valeur in saisi.items() if valeur not in ("", None)}
        if acte == "entretien":
            services.ouvrir_un_entretien(signalement=dossier, acteur=self.acteur, **donnees)
            return
        if acte == "prolongation":
            services.prolonger(signalement=dossier, acteur=self.acteur, **donnees)
            return
        echeance = echeance_a_traiter(self.acteur, dossier.pk, uuid_lu(cle))
        services.faire(echeance=echeance, acteur=self.acteur, **donnees)

    def montrer(
        self, request: HttpRequest, dossier: Signalement, statut: int = 200, form: Any = None, phrase: Any = ""
    ) -> HttpResponse:
        """Render the dates, each with the form of what may be done with it; `form` is the one that was refused."""
        dossier = signalement_a_traiter(self.acteur, dossier.pk)
        dates = dates_montrees(dossier)
        # One extension a case: it may be of a report that was joined to it, whose day is not the one shown.
        se_prolonge = not Echeance.objects.de([dossier]).prolongees().exists()
        entretien_ouvert = any(une.nature == NatureDelai.ENTRETIEN and une.faite_le is None for une in dates)
        return self.rendre(
            request,
            statut=statut,
            dossier=dossier,
            dates=[(une, _formulaire_de(une, form, se_prolonge=se_prolonge)) for une in dates],
            form_entretien=None if entretien_ouvert else _formulaire("entretien", "", form),
            form=form,
            phrase=phrase,
            choisit_les_delais=self.acteur.peut(Droit.DELAIS_GERER),
            fait="fait" in request.GET,
        )


def _acte(date: DateMontree, *, se_prolonge: bool) -> str:
    """The act on a date that the team may do by hand, "" for none."""
    if date.faite_le is not None or date.nature == NatureDelai.ACCUSE:
        return ""
    if date.nature == NatureDelai.RETOUR:
        return "prolongation" if se_prolonge else ""
    return "faite"


def _formulaire_de(date: DateMontree, refuse: Any, *, se_prolonge: bool) -> FormulaireDeSerializer | None:
    """The form of what may be done with a date; the one that was refused, though nothing may be any more."""
    prefixes = [_prefixe(acte, date.id) for acte in ("faite", "prolongation")]
    if refuse is not None and refuse.prefix in prefixes:
        return cast(FormulaireDeSerializer, refuse)
    return _formulaire(acte, date.id, None) if (acte := _acte(date, se_prolonge=se_prolonge)) else None


def _formulaire(acte: str, cle: str, refuse: Any) -> FormulaireDeSerializer:
    prefixe = _prefixe(acte, cle)
    return refuse if refuse is not None and refuse.prefix == prefixe else FORMES[acte](prefix=prefixe)


def _prefixe(acte: str, cle: str) -> str:
    """Prefix of the boxes of one form of the page: each date has its own."""
    return f"{acte}-{cle[:36]}"
