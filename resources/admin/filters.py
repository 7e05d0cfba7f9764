"""List filters over known words: to list those in use would read the table."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from resources.vocabulaire import CATEGORIES_CONNUES, TYPES_SERVIS


class FiltreEtat(admin.SimpleListFilter):
    """Live resources by default, the deleted ones on demand."""

    title = _("état")
    parameter_name = "etat"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [("supprimees", _("Supprimées"))]

    def choices(self, changelist: Any) -> Any:
        vivantes, *autres = super().choices(changelist)
        return [vivantes | {"display": _("Dans la bibliothèque")}, *autres]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(date_suppression__isnull=self.value() != "supprimees")


class FiltreGarde(admin.SimpleListFilter):
    """Present files by default; on demand, the evidence that an administrator deleted."""

    title = _("état")
    parameter_name = "etat"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [("supprimes", _("Supprimés"))] if model_admin.has_delete_permission(request) else []

    def choices(self, changelist: Any) -> Any:
        presents, *autres = super().choices(changelist)
        return [presents | {"display": _("Présents")}, *autres]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.supprimes() if self.value() == "supprimes" else queryset.presents()


class FiltreCategorie(admin.SimpleListFilter):
    title = _("catégorie")
    parameter_name = "categorie"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [(mot, mot) for mot in settings.VOCABULAIRES["categorie"] or CATEGORIES_CONNUES]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(categorie=self.value()) if self.value() else queryset


class FiltreType(admin.SimpleListFilter):
    title = _("type")
    parameter_name = "type"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [*((type_, type_) for type_ in TYPES_SERVIS), ("autres", _("Autres"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        match self.value():
            case None:
                return queryset
            case "autres":
                return queryset.exclude(type_mime__in=TYPES_SERVIS)
            case type_:
                return queryset.filter(type_mime=type_)
