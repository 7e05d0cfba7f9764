"""Reader of bodies as DRF reads them, by the fields of their form, which are asked once a class."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError as ErreurDeValidation
from rest_framework import serializers
from rest_framework.fields import SkipField, get_error_detail

from socle.moteur.choix import ORDINAIRE


@cache
def champs_de(classe: Any) -> Any:
    """The fields of a form, built once: they hold nothing of what they read, and none looks at its context."""
    return serializers.Serializer.fields.func(classe())  # type: ignore[attr-defined]


class _Entree(NamedTuple):
    """A field that a form takes: how it is read, and whether its absence says nothing."""

    nom: str
    champ: Any
    source: list[str]
    juger: Callable[[Any, Any], Any] | None  # the form's own `validate_…`
    se_passe: bool

    def lire(self, formulaire: Any, data: dict[str, Any]) -> Any:
        valeur = self.champ.run_validation(data.get(self.nom, serializers.empty))
        return valeur if self.juger is None else self.juger(formulaire, valeur)


def _detail(erreur: Any) -> Any:
    return erreur.detail if isinstance(erreur, serializers.ValidationError) else get_error_detail(erreur)


@cache
def _entrees_de(classe: Any) -> tuple[_Entree, ...]:
    return tuple(
        _Entree(
            nom,
            champ,
            [] if champ.source == "*" else champ.source.split("."),
            getattr(classe, f"validate_{nom}", None),
            champ.root.partial or (not champ.required and champ.default is serializers.empty),
        )
        for nom, champ in champs_de(classe).items()
        if not champ.read_only
    )


class LueUneFois:
    """A form whose fields are worked out once a class; it reads a JSON object as DRF does, less what is absent."""

    @property
    def fields(self) -> Any:
        classe: Any = type(self)
        return super().fields if ORDINAIRE else champs_de(classe)  # type: ignore[misc]

    def to_internal_value(self, data: Any) -> Any:
        if ORDINAIRE or data.__class__ is not dict:
            return super().to_internal_value(data)  # type: ignore[misc]
        bons: dict[str, Any] = {}
        refus: dict[str, Any] = {}
        classe: Any = type(self)
        for entree in _entrees_de(classe):
            if entree.se_passe and entree.nom not in data:
                continue
            try:
                valeur = entree.lire(self, data)
            except SkipField:
                continue
            except (serializers.ValidationError, ErreurDeValidation) as erreur:
                refus[entree.nom] = _detail(erreur)
            else:
                self.set_value(bons, entree.source, valeur)  # type: ignore[attr-defined]
        if refus:
            raise serializers.ValidationError(refus)
        return bons

    def run_validators(self, value: Any) -> None:
        if ORDINAIRE or self.validators:  # type: ignore[attr-defined]
            super().run_validators(value)  # type: ignore[misc]
