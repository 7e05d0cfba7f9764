"""Filters of lists, as strict as the fields of a body."""

import re
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import Any, ClassVar

import django_filters as filters
from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django_filters.rest_framework import DjangoFilterBackend

from socle.moteur.lectures import LectureRemplie

_JOUR = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@cache
def formulaire_de(filtres: type[filters.FilterSet]) -> Any:
    """The form that validates these filters, made once: a FilterSet makes its class again for each request."""
    formulaire = filtres({}, queryset=filtres._meta.model._default_manager.none()).get_form_class()
    formulaire.base_fields = _Partages(formulaire.base_fields)
    return formulaire


class FiltresDeLOperation(DjangoFilterBackend):
    """The filters that the view's operation names; a prepared read stays one where the query names none of them."""

    def filter_queryset(self, request: Any, queryset: Any, view: Any) -> Any:
        """The rows that the query asks for; ChampsInvalides (422) for a value that a filter refuses."""
        if not view.est_filtree:
            return queryset
        lignes = queryset.queryset() if isinstance(queryset, LectureRemplie) else queryset
        filtre = _deja_juges(view.operation.filtres)(**self.get_filterset_kwargs(request, lignes, view))
        filtre.form = view.formulaire
        return filtre.qs

    def get_filterset_class(self, view: Any, queryset: Any = None) -> Any:
        return view.operation.filtres


@cache
def _deja_juges(filtres: type[filters.FilterSet]) -> Any:
    """These filters with a plain attribute for their form, which a FilterSet would make and judge again."""
    return type(filtres.__name__, (filtres,), {"form": None, "__module__": filtres.__module__})


class _Partages(dict[str, Any]):
    """The fields of every form of a class: a filter's only read what they are given, so no form copies them."""

    def __deepcopy__(self, memo: Any) -> "_Partages":
        return self


class FiltreChoix(filters.ChoiceFilter):
    """A closed vocabulary: the refusal lists what is allowed."""

    def __init__(self, *, choices: Any, **options: Any) -> None:
        admises = ", ".join(valeur for valeur, _libelle in choices)
        message = format_lazy(_("Valeur inconnue. Valeurs admises : {admises}."), admises=admises)
        super().__init__(choices=choices, error_messages={"invalid_choice": message}, **options)


class CleOuMot(forms.UUIDField):
    """An id, or the one word that stands for there being none."""

    def __init__(self, *, mot: str = "", **options: Any) -> None:
        self.mot = mot
        super().__init__(**options)

    def to_python(self, value: Any) -> Any:
        return value if value == self.mot else super().to_python(value)


class FiltreCleOuMot(filters.Filter):
    field_class = CleOuMot


class Jour(forms.DateField):
    """Its usual form is read at once; any other as Django reads it, or refuses it."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and _JOUR.fullmatch(value):
            with suppress(ValueError):
                return date.fromisoformat(value)
        return super().to_python(value)


class FiltreJour(filters.DateFilter):
    """A day of the campus, YYYY-MM-DD whatever the language of the request."""

    field_class = Jour

    def __init__(self, **options: Any) -> None:
        message = _("Un jour est attendu sous la forme AAAA-MM-JJ.")
        super().__init__(input_formats=["%Y-%m-%d"], error_messages={"invalid": message}, **options)


class FormulairePeriode(forms.Form):
    """`debut` and `fin` in this order, and not too far apart."""

    etendue_max: ClassVar[timedelta | None] = None

    def clean(self) -> dict[str, Any]:
        debut, fin = self.cleaned_data.get("debut"), self.cleaned_data.get("fin")
        if debut and fin and fin < debut:
            self.add_error("fin", forms.ValidationError(_("La fin doit venir après le début."), code="invalid"))
        elif debut and fin and self.etendue_max is not None and fin - debut > self.etendue_max:
            texte = _("La période est trop longue : %(jours)d jours au plus.")
            erreur = forms.ValidationError(texte, code="invalid", params={"jours": self.etendue_max.days})
            self.add_error("fin", erreur)
        return self.cleaned_data
