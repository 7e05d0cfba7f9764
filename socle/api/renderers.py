"""Answers: the two envelopes, the renderers that make them, the choice among the types that a client accepts."""

from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from uuid import UUID

import orjson
from django.http import HttpRequest
from django.utils.functional import Promise
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from socle.api.copies import est_connue, etag_de
from socle.domaine.temps import horodatage
from socle.erreurs import FormatRefuse

PROBLEME = "application/problem+json"
RETENU_MAX = 200  # characters of a header whose reading is remembered


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


class Reussite(Response):
    """A success that `EnveloppeRenderer` puts under this sentence, or under that of its operation."""

    def __init__(self, data: Any, status: int, message: Any = None) -> None:
        super().__init__(data, status)
        self.message = message


class EnveloppeRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        reponse = renderer_context["response"]
        if reponse.status_code == 204:
            return b""
        if reponse.status_code >= 400:
            return en_json(data)
        vue, donnees = renderer_context["view"], en_json(data)
        if vue.montre_un_etat:
            etag = reponse.headers["ETag"] = etag_de(donnees)
            if vue.est_une_lecture and est_connue(renderer_context["request"], etag):
                reponse.status_code = 304
                return b""
        phrase = reponse.message or vue.operation.message
        return en_json(succes(orjson.Fragment(donnees), phrase, reponse.status_code))


class Telechargement(BaseRenderer):
    """Base of the renderers of private files written for the answer, which have an ETag and answer 304 to it."""


class FichierRenderer(BaseRenderer):
    """A stored file, under its own type: the view sends it, without an ETag."""

    media_type = "*/*"
    format = "fichier"
    render_style = "binary"


class CalendrierRenderer(Telechargement):
    """An iCalendar file, already written."""

    media_type = "text/calendar"
    format = "ics"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return bytes(data or b"")


class ArchiveRenderer(BaseRenderer):
    """A ZIP that is written as it is sent: it has no ETag."""

    media_type = "application/zip"
    format = "zip"
    charset = None
    render_style = "binary"


class DocumentRenderer(BaseRenderer):
    """The OpenAPI document, already written."""

    media_type = "application/vnd.oai.openapi+json"
    format = "openapi"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return bytes(data or b"")


class DocumentDesEvenementsRenderer(DocumentRenderer):
    """The AsyncAPI document, already written."""

    media_type = "application/vnd.aai.asyncapi+json"
    format = "asyncapi"


class DocumentEnJsonRenderer(DocumentRenderer):
    media_type = "application/json"
    format = "json"


class MetriquesRenderer(BaseRenderer):
    """The text form of Prometheus, already written."""

    media_type = "text/plain"
    format = "prometheus"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return bytes(data)


class Negociation(DefaultContentNegotiation):
    """DRF's negotiation, remembered, with `application/problem+json` as an alias of `application/json`.

    A client that asks for errors in that form reads JSON, and a 406 would hide the error from it. It gets our envelope
    as `application/json`, for errors and successes alike.
    """

    def get_accept_list(self, request: Any) -> list[str]:
        return [_en_json(type_) for type_ in super().get_accept_list(request)]

    def select_renderer(
        self, request: Any, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The renderer that Accept prefers, and its type; FormatRefuse (406) where it admits none."""
        admis, demandes = list(renderers), request.META.get("HTTP_ACCEPT", "*/*")
        choisir = choisi if len(demandes) <= RETENU_MAX else choisi.__wrapped__
        choix = choisir(demandes, tuple(rendu.__class__ for rendu in admis))
        if choix is None:
            raise FormatRefuse
        rang, type_ = choix
        return admis[rang], type_


@lru_cache(maxsize=512)
def choisi(demandes: str, rendus: tuple[type[BaseRenderer], ...]) -> tuple[int, str] | None:
    """Choose the form that this header prefers: its rank, and its type; None where it admits none."""
    requete = HttpRequest()
    requete.META["HTTP_ACCEPT"] = demandes
    admis = [rendu() for rendu in rendus]
    try:
        rendu, type_ = DefaultContentNegotiation.select_renderer(_negociation, Request(requete), admis)
    except NotAcceptable:
        return None
    return admis.index(rendu), type_


def _en_json(accepte: str) -> str:
    nu, separe, parametres = accepte.partition(";")
    return f"application/json{separe}{parametres}" if nu.strip().lower() == PROBLEME else accepte


_negociation = Negociation()
