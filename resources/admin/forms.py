"""Forms of the admin site: a word of an open vocabulary, and controls that say what they are."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from rest_framework import serializers

from socle.api.champs import Vocabulaire
from socle.domaine.texte import normaliser
from socle.pages.formulaires import TexteSaisi


class LignesNommees(forms.BaseModelFormSet):
    """Formset of an editable list: `aria-label` names each control by column and row, for no label stands beside it."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        for case in [champ for champ in form.fields.values() if not champ.widget.is_hidden]:
            case.help_text = ""  # the list shows none, and a control must not refer to what is not there
            case.widget.attrs["aria-label"] = _("%(quoi)s : %(dit)s") % {"quoi": case.label, "dit": form.instance}


class MotSaisi(TexteSaisi):
    """A word of an open vocabulary, from how a person writes it: "Vie étudiante" is VIE_ETUDIANTE."""

    def to_python(self, value: Any) -> Any:
        mot = re.sub(r"[^a-z0-9]+", "_", normaliser(super().to_python(value))).strip("_")
        try:
            return Vocabulaire("categorie_faq").to_internal_value(mot) if mot else ""
        except serializers.ValidationError as refus:
            raise ValidationError([str(message) for message in refus.detail]) from refus
