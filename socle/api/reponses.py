"""The two envelopes, shared by the renderer, the error handler and the middleware; the response of an operation."""

from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import Any
from uuid import UUID

import orjson
from django.http import HttpRequest, HttpResponse
from django.http.response import ResponseHeaders
from django.utils.functional import Promise

from socle.domaine.temps import horodatage


class ReponseEnOctets(HttpResponse):
    """Django's, of bytes and a type that are ours: without what its constructor makes sure of, a dozen calls."""

    def __init__(self, contenu: bytes, statut: int, type_: str) -> None:
        self.headers = ResponseHeaders.__new__(ResponseHeaders)
        self.headers._store = {"content-type": ("Content-Type", type_)}
        self.cookies = SimpleCookie.__new__(SimpleCookie)
        self.status_code, self.closed = statut, False
        self._charset = self._handler_class = self._reason_phrase = None
        self._resource_closers: list[Any] = []
        self._container = [contenu]


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
