from datetime import date
from typing import Any

import django_filters as filters
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from signalements.models import Signalement
from socle.api.filters import FiltreChoix, FiltreJour, FormulairePeriode
from stats.chiffres.sources import Filtre
from stats.vocabulaire import PERIODES_MAX, Pas

# Bounds of the days read: days beyond them could not be shifted to a time zone.
_PREMIER, _DERNIER = date(1900, 1, 1), date(9000, 1, 1)


class TypeFiltre(filters.FilterSet):
    """Query parameters of computed numbers: parsed and validated, not applied to a queryset."""

    type = filters.CharFilter(max_length=50, help_text=_("Un type de signalement."))

    class Meta:
        model = Signalement
        fields: list[str] = []


class PeriodeFiltre(TypeFiltre):
    debut = FiltreJour(help_text=_("Créés ce jour ou après (AAAA-MM-JJ, heure du campus)."))
    fin = FiltreJour(help_text=_("Créés ce jour ou avant (AAAA-MM-JJ, heure du campus)."))

    class Meta(TypeFiltre.Meta):
        form = FormulairePeriode


class DelaisFiltre(TypeFiltre):
    debut = FiltreJour(help_text=_("Promises pour ce jour ou après (AAAA-MM-JJ, heure du campus)."))
    fin = FiltreJour(help_text=_("Promises pour ce jour ou avant."))

    class Meta(TypeFiltre.Meta):
        form = FormulairePeriode


class TendanceFiltre(TypeFiltre):
    debut = FiltreJour(help_text=_("Premier jour (AAAA-MM-JJ, heure du campus)."))
    fin = FiltreJour(help_text=format_lazy(_("Dernier jour, inclus ; {maximum} dates au plus."), maximum=PERIODES_MAX))
    periode = FiltreChoix(choices=Pas.choices, help_text=_("jour (par défaut), semaine ou mois."))

    class Meta(PeriodeFiltre.Meta):
        pass


def filtre_de(parametres: dict[str, Any]) -> Filtre:
    jours = {nom: _borner(parametres.get(nom)) for nom in ("debut", "fin")}
    return Filtre(**jours, type=(parametres.get("type") or "").upper() or None)


def _borner(jour: date | None) -> date | None:
    return None if jour is None else min(max(jour, _PREMIER), _DERNIER)
