"""Filters of lists, as strict as the fields of a body."""

from typing import Any

import django_filters as filters
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _


class FiltreChoix(filters.ChoiceFilter):
    """A closed vocabulary: the refusal lists what is allowed."""

    def __init__(self, *, choices: Any, **options: Any) -> None:
        admises = ", ".join(valeur for valeur, _libelle in choices)
        message = format_lazy(_("Valeur inconnue. Valeurs admises : {admises}."), admises=admises)
        super().__init__(choices=choices, error_messages={"invalid_choice": message}, **options)


class FiltreJour(filters.DateFilter):
    """A day of the campus, YYYY-MM-DD whatever the language of the request."""

    def __init__(self, **options: Any) -> None:
        message = _("Un jour est attendu sous la forme AAAA-MM-JJ.")
        super().__init__(input_formats=["%Y-%m-%d"], error_messages={"invalid": message}, **options)
