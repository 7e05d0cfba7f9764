from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from forum.models import Poste
from forum.vocabulaire import Statut
from socle.api.filters import FiltreChoix


class PosteFiltre(filters.FilterSet):
    statut = FiltreChoix(
        method="par_statut", choices=Statut.choices, help_text=_("NOUVEAU : les plus anciennes d'abord, à modérer.")
    )
    categorie = filters.CharFilter(
        method="par_categorie", max_length=50, help_text=_("Une catégorie, en majuscules ou non.")
    )
    search = filters.CharFilter(
        method="chercher", max_length=200, help_text=_("Tous les mots, dans le titre, le contenu ou les mots-clés.")
    )

    class Meta:
        model = Poste
        fields: list[str] = []

    def par_statut(self, lignes: Any, _nom: str, valeur: str) -> Any:
        retenues = lignes.de_statut(valeur, self.request.auth)
        return retenues.a_moderer_d_abord() if valeur == Statut.NOUVEAU else retenues

    def par_categorie(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(categorie=valeur.upper())

    def chercher(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.cherches(valeur)
