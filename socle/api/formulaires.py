"""Bases of the forms: what a body may say."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import SkipField

from socle.api.serializers import EnChameau
from socle.erreurs import Details
from socle.moteur.entrees import LueUneFois


class Creation(LueUneFois, EnChameau, serializers.Serializer[Any]):
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
        for champ in (champ for champ in self.fields.values() if not champ.read_only):
            with suppress(SkipField, serializers.ValidationError):
                bons[str(champ.source)] = champ.run_validation(champ.get_value(lues))
        return bons


class Modification(LueUneFois, EnChameau, serializers.Serializer[Any]):
    """Form of a partial update: only the fields present change; null empties those that may be empty."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "partial": True})

    def get_fields(self) -> dict[str, Any]:
        """Make every field optional, so that OpenAPI says so too."""
        champs = super().get_fields()
        for champ in champs.values():
            champ.required = False
        return champs
