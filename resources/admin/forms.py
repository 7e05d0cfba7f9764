"""Forms of the admin site: fields that take a text as the API takes it, and controls that say what they are."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from rest_framework import serializers

from socle.api.champs import Texte, Vocabulaire, a_un_controle
from socle.domaine.identite import sans_guest_ids
from socle.domaine.texte import normaliser


class LignesNommees(forms.BaseModelFormSet):
    """Formset of an editable list: `aria-label` names each control by column and row, for no label stands beside it."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        for case in [champ for champ in form.fields.values() if not champ.widget.is_hidden]:
            case.help_text = ""  # the list shows none, and a control must not refer to what is not there
            case.widget.attrs["aria-label"] = f"{case.label} : {form.instance}"


class TexteSaisi(forms.CharField):
    """Clean as the API does: trim, unify new lines, refuse controls, mask guest ids, which the history would keep."""

    def to_python(self, value: Any) -> Any:
        texte = super().to_python(value) or ""
        if a_un_controle(texte):
            raise ValidationError(Texte.default_error_messages["control"], code="control")
        return sans_guest_ids(Texte().nettoyer(texte))


class MotSaisi(TexteSaisi):
    """A word of an open vocabulary, from how a person writes it: "Vie étudiante" is VIE_ETUDIANTE."""

    def to_python(self, value: Any) -> Any:
        mot = re.sub(r"[^a-z0-9]+", "_", normaliser(super().to_python(value))).strip("_")
        try:
            return Vocabulaire("categorie_faq").to_internal_value(mot) if mot else ""
        except serializers.ValidationError as refus:
            raise ValidationError([str(message) for message in refus.detail]) from refus
