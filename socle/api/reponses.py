"""The two envelopes, shared by the renderer, the error handler and the middleware."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

import orjson
from django.http import HttpRequest
from django.utils.functional import Promise

from socle.domaine.temps import horodatage


def en_json(valeur: Any) -> bytes:
    return orjson.dumps(valeur, default=_autre, option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS)


def _autre(valeur: Any) -> Any:
    if isinstance(valeur, Promise | UUID):
        return str(valeur)
    raise TypeError(f"{type(valeur).__name__} n'a pas de forme JSON.")


def succes(donnees: Any, message: Any, statut: int) -> dict[str, Any]:
    return {"data": donnees, "message": str(message), "statusCode": statut, "timestamp": horodatage()}


def erreur(requete: HttpRequest, *, statut: int, code: str, message: Any, details: Any = None) -> dict[str, Any]:
    """The error envelope: the contract's five fields, `code`, `requestId`, and `details` where there are some."""
    corps = refus(requete.path, getattr(requete, "id_requete", ""), statut=statut, code=code, message=message)
    if details is not None:
        corps["details"] = details
    return corps


def refus(chemin: str, id_requete: str, *, statut: int, code: str, message: Any) -> dict[str, Any]:
    """The same of what never became a request of Django's."""
    return {
        "error": HTTPStatus(statut).phrase,
        "message": str(message),
        "statusCode": statut,
        "timestamp": horodatage(),
        "path": chemin,
        "code": code,
        "requestId": id_requete,
    }
