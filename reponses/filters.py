from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from accounts.vocabulaire import LANGUES
from reponses.models import ModeleDeReponse
from socle.api.filters import FiltreChoix


class ModeleDeReponseFiltre(filters.FilterSet):
    """Both are read by the view: the door of the case, and the language of what is answered."""

    signalementId = filters.UUIDFilter(
        method="tous", help_text=_("Ceux qui conviennent à ce dossier, leurs variables remplies pour lui.")
    )
    langue = FiltreChoix(
        method="tous",
        choices=LANGUES,
        help_text=_(
            "fr ou en ; sans elle, celle de la requête. À défaut de texte dans cette langue, celui de l'autre."
        ),
    )

    class Meta:
        model = ModeleDeReponse
        fields: list[str] = []

    def tous(self, lignes: Any, _nom: str, _valeur: Any) -> Any:
        return lignes
