from typing import Any

import django_filters as filters
from django import forms
from django.utils.translation import gettext_lazy as _

from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import ETENDUE_MAX, StatutEvenement, StatutParticipation
from config.api.filtres import FiltreChoix, FiltreJour


class EvenementFiltre(filters.FilterSet):
    statut = FiltreChoix(choices=StatutEvenement.choices)
    type = filters.CharFilter(method="par_type", max_length=50)

    class Meta:
        model = EvenementCampus
        fields: list[str] = []

    def par_type(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(type=valeur.upper())


class FormulairePeriode(forms.Form):
    def clean(self) -> dict[str, Any]:
        jours = self.cleaned_data
        debut, fin = jours.get("debut"), jours.get("fin")
        if debut and fin and fin < debut:
            self.add_error("fin", forms.ValidationError(_("La fin doit venir après le début."), code="invalid"))
        elif debut and fin and fin - debut > ETENDUE_MAX:
            texte = _("La période est trop longue : %(jours)d jours au plus.")
            erreur = forms.ValidationError(texte, code="invalid", params={"jours": ETENDUE_MAX.days})
            self.add_error("fin", erreur)
        return jours


class PeriodeFiltre(EvenementFiltre):
    debut = FiltreJour(method="ensemble", required=True, help_text="Premier jour, à l'heure du campus.")
    fin = FiltreJour(method="ensemble", required=True, help_text="Dernier jour, inclus ; 400 jours plus tard au plus.")

    class Meta(EvenementFiltre.Meta):
        form = FormulairePeriode

    def ensemble(self, lignes: Any, _nom: str, _valeur: Any) -> Any:
        return lignes

    def filter_queryset(self, queryset: Any) -> Any:
        jours = self.form.cleaned_data
        return super().filter_queryset(queryset).des_jours(jours["debut"], jours["fin"])


class ParticipationFiltre(filters.FilterSet):
    statut = FiltreChoix(method="par_statut", choices=StatutParticipation.choices)

    class Meta:
        model = Participation
        fields: list[str] = []

    def par_statut(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_statut(valeur)
