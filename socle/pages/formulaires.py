"""HTML forms whose rules are those of a DRF serializer: Django's hold labels and widgets alone."""

from typing import Any, ClassVar

from django import forms
from rest_framework import serializers

from socle.api.serializers import chameau
from socle.domaine.erreurs import Details


class FormulaireDeSerializer(forms.Form):
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
                    self.refuser(nom, str(detail), getattr(detail, "code", "invalid"))
        return self.cleaned_data

    def refuser(self, nom: str, message: Any, code: str = "invalid") -> None:
        """Add an error to a field, in this form's own words where it has some."""
        self.add_error(nom, forms.ValidationError(self.textes.get((nom, code), message), code=code))

    def accueillir(self, details: Details) -> None:
        """Add the refusals of a service, `{field, message, code}`, to the fields they name; others to the form."""
        noms = {chameau(nom): nom for nom in self.fields}
        for detail in details:
            nom = noms.get(detail["field"])
            if nom is None:
                self.add_error(None, str(detail["message"]))
            else:
                self.refuser(nom, detail["message"], detail["code"])
