"""The dashboard: the team's numbers over a period that one chooses, and what waits."""

from datetime import date, timedelta
from typing import Any, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from equipes.lectures import noms_des_equipes
from equipes.models import MembreDEquipe
from espace.pages import graphiques
from espace.pages.base import PageDEquipe
from espace.pages.exporter import Exportation
from espace.pages.formulaires import SANS_TRACE, TOUS, choix_libre
from espace.pages.liste import types
from signalements.models import Signalement
from signalements.vocabulaire import type_lisible
from socle.audit.registre import montrer
from socle.domaine.temps import jour_du_campus
from socle.erreurs import ChampsInvalides, PermissionRefusee
from socle.realtime.models import CompteurEvenements
from stats.chiffres.bilan import lire
from stats.chiffres.filters import PeriodeFiltre, filtre_de
from stats.chiffres.sources import Filtre, seuil_des_categories
from stats.permissions import voit_le_tableau
from stats.vocabulaire import Portee

FILTRES = ("debut", "fin", "type")


class Lien(NamedTuple):
    titre: Any
    adresse: str
    est_ici: bool


class PeriodeDuTableau(forms.Form):
    """The boxes of the period; the API's own filters judge what is in them."""

    debut = forms.CharField(
        label=gettext_lazy("Reçu depuis le"),
        required=False,
        widget=forms.DateInput(attrs={**SANS_TRACE, "type": "date"}),
    )
    fin = forms.CharField(
        label=gettext_lazy("Reçu jusqu'au"),
        required=False,
        widget=forms.DateInput(attrs={**SANS_TRACE, "type": "date"}),
    )
    type = choix_libre(gettext_lazy("Type"))

    def __init__(self, donnes: dict[str, str]) -> None:
        choisi = donnes.get("type", "").upper()  # as the filter reads it
        super().__init__({**donnes, "type": choisi})
        champ: Any = self.fields["type"]
        admis = types()
        # One that the service no longer admits has cases still.
        autre = [(choisi, type_lisible(choisi))] if choisi and choisi not in dict(admis) else []
        champ.choices = [*TOUS, *admis, *autre]


class TableauDeBord(PageDEquipe):
    gabarit = "espace/tableau.html"
    place = "tableau"
    titre = gettext_lazy("Tableau de bord")

    def entrer(self, request: HttpRequest) -> None:
        super().entrer(request)
        if not voit_le_tableau(self.acteur):
            raise PermissionRefusee

    def get(self, request: HttpRequest) -> HttpResponse:
        depuis = CompteurEvenements.lire().dernier_numero  # before the numbers: an event in between is heard again
        donnes = {nom: str(valeur) for nom, valeur in request.GET.items() if nom in FILTRES and str(valeur).strip()}
        form = PeriodeDuTableau(donnes)
        try:
            filtre = _filtre(donnes)
            bilan = lire(self.acteur, filtre)
        except ChampsInvalides as refus:
            for detail in refus.details or []:
                form.add_error(detail["field"], str(detail["message"]))
            return self.rendre(request, statut=422, form=form, periodes=_periodes(None))
        compte_tout = bilan.chiffres["portee"] == Portee.GLOBALE and self._n_est_pas_de_toutes()
        montrer(self.acteur, [une.id for une in bilan.attentes if not une.est_la_sienne], {})
        return self.rendre(
            request,
            form=form,
            depuis=depuis,
            periode=_en_mots(filtre),
            est_filtre=bool(donnes),
            compte_tout=compte_tout,
            periodes=_periodes(filtre),
            petites=seuil_des_categories(self.acteur),
            exportation=Exportation.pour(self.acteur, donnes, est_de_ses_lus=compte_tout),
            **graphiques.page(bilan),
        )

    def _n_est_pas_de_toutes(self) -> bool:
        return bool(noms_des_equipes().keys() - set(MembreDEquipe.objects.equipes_de(self.compte)))


def _filtre(donnes: dict[str, str]) -> Filtre:
    """The filter that the API reads in this query; ChampsInvalides (422) for what it refuses."""
    lu = PeriodeFiltre(donnes, queryset=Signalement.objects.none())
    if not lu.is_valid():
        raise ChampsInvalides.pour(**{champ: erreurs[0] for champ, erreurs in lu.form.errors.items()})
    return filtre_de(lu.form.cleaned_data)


def _periodes(filtre: Filtre | None) -> list[Lien]:
    """The periods that one asks for most, each a link that keeps the type; None where what was asked is refused."""
    aujourd_hui = jour_du_campus()
    annee, mois = divmod(aujourd_hui.year * 12 + aujourd_hui.month - 12, 12)
    debuts = (
        (_("30 jours"), aujourd_hui - timedelta(days=29)),
        (_("12 mois"), date(annee, mois + 1, 1)),
        (_("Tout"), None),
    )
    return [
        Lien(titre, _adresse(debut, filtre and filtre.type), filtre is not None and filtre[:2] == (debut, None))
        for titre, debut in debuts
    ]


def _adresse(debut: date | None, type_: str | None) -> str:
    demande = QueryDict(mutable=True)
    demande.update({nom: str(valeur) for nom, valeur in (("debut", debut), ("type", type_)) if valeur})
    return f"?{demande.urlencode()}"


def _en_mots(filtre: Filtre) -> str:
    """« Dossiers reçus du … au … », a whole sentence for each way of choosing."""
    debut, fin = (date_format(jour, "j F Y") if jour else "" for jour in (filtre.debut, filtre.fin))
    phrases = {
        (True, True): _("Dossiers reçus du %(debut)s au %(fin)s."),
        (True, False): _("Dossiers reçus depuis le %(debut)s."),
        (False, True): _("Dossiers reçus jusqu'au %(fin)s."),
        (False, False): _("Tous les dossiers."),
    }
    phrase = phrases[bool(debut), bool(fin)] % {"debut": debut, "fin": fin}
    if filtre.type is None:
        return phrase
    du_type = _("Type : %(type)s.") % {"type": type_lisible(filtre.type)}
    return f"{phrase} {du_type}"
