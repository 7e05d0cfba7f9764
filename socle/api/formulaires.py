"""Bases of the forms: what a body may say, read as DRF reads it, by a plan made once a class."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError as ErreurDeValidation
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import SkipField, get_error_detail

from socle.api.serializers import EnChameau
from socle.domaine.erreurs import Details


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
            champ.source_attrs,
            getattr(classe, f"validate_{nom}", None),
            champ.root.partial or (not champ.required and champ.default is serializers.empty),
        )
        for nom, champ in champs_de(classe).items()
        if not champ.read_only
    )


class _Formulaire:
    """A form whose fields are worked out once a class; it reads a JSON object as DRF does, less what is absent."""

    @property
    def fields(self) -> Any:
        classe: Any = type(self)
        return champs_de(classe)

    def to_internal_value(self, data: Any) -> Any:
        if data.__class__ is not dict:
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
        if self.validators:  # type: ignore[attr-defined]
            super().run_validators(value)  # type: ignore[misc]


class Creation(_Formulaire, EnChameau, serializers.Serializer[Any]):
    """Form of a creation: null counts as absent on an optional field; form and service errors come in one 422."""

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        """Hook: the service's own errors on the valid fields, called where the form refuses others."""
        return []

    def run_validation(self, data: Any = serializers.empty) -> Any:
        try:
            return super().run_validation(data)
        except serializers.ValidationError as refus:
            if not isinstance(data, dict) or not isinstance(refus.detail, dict):
                raise
            details: dict[str, Any] = {**refus.detail}
            for autre in self.refus_du_service(self._bons(data)):
                if autre["field"] not in refus.detail:
                    motif = ErrorDetail(str(autre["message"]), autre["code"])
                    details.setdefault(autre["field"], []).append(motif)
            raise serializers.ValidationError(details) from refus

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(self._sans_nuls(data) if isinstance(data, dict) else data)

    def _sans_nuls(self, data: dict[str, Any]) -> dict[str, Any]:
        champs = self.fields
        return {
            cle: valeur
            for cle, valeur in data.items()
            if valeur is not None or (cle in champs and champs[cle].required)
        }

    def _bons(self, data: dict[str, Any]) -> dict[str, Any]:
        """Validate each field alone and keep `{source: value}` of those that pass."""
        bons: dict[str, Any] = {}
        lues = self._sans_nuls(data)
        for champ in self._writable_fields:
            with suppress(SkipField, serializers.ValidationError):
                bons[str(champ.source)] = champ.run_validation(champ.get_value(lues))
        return bons


class Modification(_Formulaire, EnChameau, serializers.Serializer[Any]):
    """Form of a partial update: only the fields present change; null empties those that may be empty."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "partial": True})

    def get_fields(self) -> dict[str, Any]:
        """Make every field optional, so that OpenAPI says so too."""
        champs = super().get_fields()
        for champ in champs.values():
            champ.required = False
        return champs
