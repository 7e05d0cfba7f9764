from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import ETENDUE_MAX, StatutEvenement, StatutParticipation
from socle.api.filters import FiltreChoix, FiltreJour, FormulairePeriode


class EvenementFiltre(filters.FilterSet):
    statut = FiltreChoix(
        choices=StatutEvenement.choices, help_text=_("Les événements de ce statut ; absent : les annulés aussi.")
    )
    type = filters.CharFilter(
        method="par_type", max_length=50, help_text=_("Un type d'événement, en majuscules ou non.")
    )

    class Meta:
        model = EvenementCampus
        fields: list[str] = []

    def par_type(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(type=valeur.upper())


class FormulaireEtendue(FormulairePeriode):
    etendue_max = ETENDUE_MAX


class PeriodeFiltre(EvenementFiltre):
    debut = FiltreJour(method="ensemble", required=True, help_text=_("Premier jour, à l'heure du campus."))
    fin = FiltreJour(
        method="ensemble", required=True, help_text=_("Dernier jour, inclus ; 400 jours plus tard au plus.")
    )

    class Meta(EvenementFiltre.Meta):
        form = FormulaireEtendue

    def ensemble(self, lignes: Any, _nom: str, _valeur: Any) -> Any:
        return lignes


class ParticipationFiltre(filters.FilterSet):
    statut = FiltreChoix(
        method="par_statut",
        choices=StatutParticipation.choices,
        help_text=_("Les participations de ce statut ; absent : les annulées aussi."),
    )

    class Meta:
        model = Participation
        fields: list[str] = []

    def par_statut(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.de_statut(valeur)
