"""HTML forms whose rules are those of the API: Django's hold labels and widgets alone."""

import re
from typing import Any, ClassVar

from django import forms
from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from socle.api.champs import Courriel, Telephone, Texte, TexteLong, a_un_controle
from socle.api.serializers import chameau
from socle.domaine.adresses import AdresseIllisible, lire_adresse
from socle.domaine.identite import sans_guest_ids
from socle.domaine.saisie import en_chiffres, montre
from socle.erreurs import Details
from socle.pages.typographie import dite


class ListeDeChoix(forms.Select):
    """A list to choose in, whose own words are composed as those of the page; a name in it stays as it was typed."""

    def create_option(self, name: str, value: Any, label: Any, *reste: Any, **attributs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, dite(label), *reste, **attributs)
        return option


class TexteSaisi(forms.CharField):
    """Read what is pasted as `texte_saisi` does, then as the API; mask guest ids, which the history would keep."""

    lu_par: ClassVar[type[Texte]] = Texte

    def to_python(self, value: Any) -> Any:
        texte = texte_saisi(super().to_python(value) or "", en_lignes=self.lu_par is TexteLong)
        if a_un_controle(texte):  # a lone surrogate
            raise forms.ValidationError(Texte.default_error_messages["control"], code="control")
        return sans_guest_ids(self.lu_par().nettoyer(texte)) if montre(texte) else ""


class TexteLongSaisi(TexteSaisi):
    lu_par = TexteLong


class CourrielSaisi(forms.EmailField):
    """An address in its one form, as `Courriel` reads it, before Django judges it."""

    def to_python(self, value: Any) -> Any:
        try:
            return lire_adresse(str(super().to_python(value)))
        except AdresseIllisible as illisible:
            raise forms.ValidationError(Courriel.default_error_messages["email"], code="email") from illisible


# `formfield_overrides` of an admin page whose texts are those of the API.
SAISIES: dict[Any, dict[str, Any]] = {
    models.CharField: {"form_class": TexteSaisi},
    models.TextField: {"form_class": TexteLongSaisi},
    models.EmailField: {"form_class": CourrielSaisi},
}


class MomentSaisi(forms.SplitDateTimeField):
    """A day and an hour in any digits, with what was pasted around them and does not show."""

    def clean(self, value: Any) -> Any:
        return super().clean(_en_chiffres(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(initial, _en_chiffres(data))


def _en_chiffres(cases: Any) -> Any:
    return [en_chiffres(une) if isinstance(une, str) else une for une in cases or ()]


class TelephoneSaisi(forms.CharField):
    """A number as `Telephone` reads it, in E.164."""

    def to_python(self, value: Any) -> Any:
        try:
            return Telephone(allow_blank=True).run_validation(super().to_python(value))
        except serializers.ValidationError as refus:
            raise forms.ValidationError([str(detail) for detail in refus.detail], code="telephone") from refus


# What a word processor and a PDF break lines and pages with, beside the line feed; what else shows nothing.
_COUPURES = re.compile("\r\n|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SANS_FORME = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\xad]")
_BLANCS = re.compile("[\r\n\t]+")


def texte_saisi(texte: str, *, en_lignes: bool) -> str:
    """Turn what people paste into plain text: other breaks into line feeds, controls and soft hyphens into nothing.

    In a field of one line a break or a tab is a space. The API refuses the same characters: a program can mend them.
    """
    texte = _SANS_FORME.sub("", _COUPURES.sub("\n", texte))
    return texte if en_lignes else _BLANCS.sub(" ", texte)


TROP_LONG = _("Ce texte est trop long : %(maximum)s caractères au plus, %(trop)s de trop. Rien n'a été coupé.")


class FormulaireSaisi(forms.Form):
    """A form whose texts are judged, shown again and kept as `texte_saisi` reads them; not passwords."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for nom, champ in self.fields.items():
            secret = isinstance(champ.widget, forms.PasswordInput)
            if self.is_bound and isinstance(champ, forms.CharField) and not secret:
                self._nettoyer(self.add_prefix(nom), en_lignes=isinstance(champ.widget, forms.Textarea))

    def _nettoyer(self, nom: str, *, en_lignes: bool) -> None:
        brut = self.data.get(nom)
        if isinstance(brut, str) and (lu := texte_saisi(brut, en_lignes=en_lignes)) != brut:
            donnees: Any = self.data.copy()  # type: ignore[attr-defined]
            donnees[nom] = lu
            self.data = donnees


class FormulaireDeSerializer(FormulaireSaisi):
    """A form each of whose fields is judged by the serializer's field of that name, where there is one.

    `textes` says in other words what the serializer refuses: `{(field, code): sentence}`.
    """

    serializer: ClassVar[type[serializers.Serializer[Any]]]
    textes: ClassVar[dict[tuple[str, str], Any]] = {}

    def clean(self) -> dict[str, Any]:
        regles = self.serializer().fields
        for nom in self.fields:
            regle = regles.get(chameau(nom))
            if regle is None or nom in self.errors:
                continue
            valeur = self.cleaned_data.get(nom)
            if valeur in ("", None) and not regle.required:
                continue
            try:
                self.cleaned_data[nom] = regle.run_validation(valeur)
            except serializers.ValidationError as refus:
                details = refus.detail if isinstance(refus.detail, list) else [str(refus.detail)]
                for detail in details:
                    self.refuser(nom, *self._en_mots(valeur, regle, detail))
        return self.cleaned_data

    def _en_mots(self, valeur: Any, regle: Any, detail: Any) -> tuple[str, str]:
        """Message of the serializer's refusal, and its code; of a text that is too long, by how much."""
        code = getattr(detail, "code", "invalid")
        maximum: int | None = getattr(regle, "max_length", None)
        if code != "max_length" or not maximum:
            return str(detail), code
        longueur = len(regle.nettoyer(valeur)) if isinstance(regle, Texte) else len(str(valeur))
        nombres = {"maximum": _nombre(maximum), "trop": _nombre(max(0, longueur - maximum))}
        return str(TROP_LONG) % nombres, code

    def refuser(self, nom: str, message: Any, code: str = "invalid") -> None:
        """Add an error to a field, in this form's own words where it has some."""
        self.add_error(nom, forms.ValidationError(self.textes.get((nom, code)) or message, code=code))

    def accueillir(self, details: Details) -> None:
        """Add the refusals of a service, `{field, message, code}`, to the fields they name; others to the form."""
        noms = {chameau(nom): nom for nom in self.fields}
        for detail in details:
            nom = noms.get(detail["field"])
            if nom is None:
                self.add_error(None, str(detail["message"]))
            else:
                self.refuser(nom, detail["message"], detail["code"])


def _nombre(nombre: int) -> str:
    """As people write it."""
    return number_format(nombre, force_grouping=True)
