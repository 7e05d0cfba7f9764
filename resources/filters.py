from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from resources.models import Ressource
from resources.querysets import TRIS
from socle.api.filters import FiltreChoix

ORDRES = ("desc", "asc")


class RessourceFiltre(filters.FilterSet):
    categorie = filters.CharFilter(
        method="par_categorie", max_length=50, help_text=_("Une catégorie, en majuscules ou non.")
    )
    search = filters.CharFilter(
        method="chercher",
        max_length=200,
        help_text=_("Tous les mots, dans le titre, la description ou le nom du fichier."),
    )
    sort = FiltreChoix(method="inchange", choices=[(tri, tri) for tri in TRIS], help_text=_("dateCreation par défaut."))
    order = FiltreChoix(
        method="inchange", choices=[(ordre, ordre) for ordre in ORDRES], help_text=_("desc par défaut.")
    )

    class Meta:
        model = Ressource
        fields: list[str] = []

    def filter_queryset(self, queryset: Any) -> Any:
        demande = self.form.cleaned_data
        lignes: Any = super().filter_queryset(queryset)
        return lignes.triees(demande["sort"] or "dateCreation", descendant=demande["order"] != "asc")

    def par_categorie(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.filter(categorie=valeur.upper())

    def chercher(self, lignes: Any, _nom: str, valeur: str) -> Any:
        return lignes.cherchees(valeur)

    def inchange(self, lignes: Any, _nom: str, _valeur: str) -> Any:
        """Keep the rows as they are: `filter_queryset` applies `sort` and `order` together."""
        return lignes
