from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from discussions.models import Discussion, Message
from socle.api.filters import FiltreChoix


class DiscussionFiltre(filters.FilterSet):
    signalementId = filters.UUIDFilter(method="par_signalement", help_text=_("Les discussions de ce signalement."))

    class Meta:
        model = Discussion
        fields: list[str] = []

    def par_signalement(self, lignes: Any, _nom: str, valeur: Any) -> Any:
        return lignes.du_signalement(valeur)


class MessageFiltre(filters.FilterSet):
    order = FiltreChoix(
        method="dans_l_ordre",
        choices=[("asc", "asc"), ("desc", "desc")],
        help_text=_("asc (le premier message d'abord, par défaut) ou desc."),
    )

    class Meta:
        model = Message
        fields: list[str] = []

    def dans_l_ordre(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.reverse() if valeur == "desc" else lignes
