"""List filters over known words: to list those in use would read the table."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from resources.vocabulaire import CATEGORIES_CONNUES, PAGES_ECRITES, TYPES_SERVIS, categorie_lisible, genre_lisible


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
        return [(mot, categorie_lisible(mot)) for mot in settings.VOCABULAIRES["categorie"] or CATEGORIES_CONNUES]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(categorie=self.value()) if self.value() else queryset


def categorie_de_question(categorie: str) -> str:
    """The word for a category; the name of a page of the portal as it is typed, and as the form says it."""
    return categorie if categorie in PAGES_ECRITES else categorie_lisible(categorie)


class FiltreCategorieDeFaq(admin.AllValuesFieldListFilter):
    """The categories in use, in words."""

    def choices(self, changelist: Any) -> Any:
        toutes, *autres = super().choices(changelist)
        for une in autres:
            mot, espace, combien = str(une["display"]).partition(" ")  # a category holds none; a count may follow
            une["display"] = categorie_de_question(mot) + espace + combien
        return [toutes, *autres]


class FiltreLangue(admin.ChoicesFieldListFilter):
    """Filter by language; entries of none are for everybody, which is not to be mistaken for no filter."""

    def choices(self, changelist: Any) -> Any:
        sans_filtre, sans_langue, *autres = super().choices(changelist)
        dit, suite = str(dict(self.field.flatchoices)[""]), str(sans_langue["display"])
        sans_langue["display"] = suite.replace(dit, str(_("Pour toutes les langues")), 1)  # a count may follow
        return [sans_filtre, sans_langue, *autres]


class FiltreType(admin.SimpleListFilter):
    title = _("type")
    parameter_name = "type"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        servis = [(mime, f"{genre_lisible(mime)} ({fins[0]})") for mime, fins in TYPES_SERVIS.items()]
        return [*servis, ("autres", _("Autres"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        match self.value():
            case None:
                return queryset
            case "autres":
                return queryset.exclude(type_mime__in=TYPES_SERVIS)
            case type_:
                return queryset.filter(type_mime=type_)
