"""One handler renders every refusal under /api/v1; an error nobody expected tells nothing but its requestId."""

import logging
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework import exceptions as drf
from rest_framework.response import Response

from config.api.reponses import erreur
from config.domaine.erreurs import (
    ChampsInvalides,
    CorpsTropGrand,
    ErreurMetier,
    Introuvable,
    NonAuthentifie,
    PermissionRefusee,
    RequeteMalformee,
    ServiceIndisponible,
)

journal = logging.getLogger("campus.erreurs")


def gestionnaire(exc: Exception, contexte: dict[str, Any]) -> Response:
    requete = contexte["request"]._request
    refus = en_refus(exc)
    if refus.statut_http >= 500:
        journal.error("%s", refus.code, exc_info=exc)
    corps = erreur(requete, statut=refus.statut_http, code=refus.code, message=refus.message, details=refus.details)
    entetes = {}
    if refus.statut_http == 401:
        entetes["WWW-Authenticate"] = 'Bearer realm="api"'
    if refus.attente is not None:
        entetes["Retry-After"] = str(refus.attente)
    return Response(corps, status=refus.statut_http, headers=entetes)


def en_refus(exc: Exception) -> ErreurMetier:
    """Any exception as one of our refusals."""
    if isinstance(exc, ErreurMetier):
        return exc
    if isinstance(exc, drf.ValidationError):
        return ChampsInvalides.depuis(_aplatir(exc.detail))
    if isinstance(exc, OperationalError | InterfaceError):
        return ServiceIndisponible(attente=5)
    for types, refus in _EQUIVALENTS:
        if isinstance(exc, types):
            return refus()
    return _autre(exc)


_EQUIVALENTS: tuple[tuple[tuple[type[Exception], ...], type[ErreurMetier]], ...] = (
    ((drf.ParseError, UnreadablePostError), RequeteMalformee),
    ((drf.NotAuthenticated, drf.AuthenticationFailed), NonAuthentifie),
    ((drf.PermissionDenied, PermissionDenied), PermissionRefusee),
    ((Http404, drf.NotFound), Introuvable),
    ((RequestDataTooBig,), CorpsTropGrand),
)


def _autre(exc: Exception) -> ErreurMetier:
    if isinstance(exc, drf.MethodNotAllowed):
        return _refus(405, "METHOD_NOT_ALLOWED", _("Cette méthode n'est pas permise ici."))
    if isinstance(exc, drf.NotAcceptable):
        return _refus(406, "NOT_ACCEPTABLE", _("Seul application/json est servi ici."))
    if isinstance(exc, drf.UnsupportedMediaType):
        return _refus(415, "UNSUPPORTED_MEDIA_TYPE", _("Ce type de contenu n'est pas accepté ici."))
    return _refus(500, "INTERNAL_ERROR", _("Une erreur est survenue. Si elle persiste, signalez son requestId."))


def _refus(statut: int, code: str, message: str) -> ErreurMetier:
    refus = ErreurMetier(message, code=code)
    refus.statut_http = statut
    return refus


def _aplatir(detail: Any, chemin: str = "") -> Iterator[dict[str, str]]:
    """DRF's nested errors as `{field, message, code}`, fields as a.b.0.c."""
    if isinstance(detail, dict):
        for cle, valeur in detail.items():
            nom = "" if cle == "non_field_errors" else str(cle)
            yield from _aplatir(valeur, f"{chemin}.{nom}".strip("."))
    elif isinstance(detail, list) and any(isinstance(element, dict | list) for element in detail):
        for rang, element in enumerate(detail):
            yield from _aplatir(element, f"{chemin}.{rang}".strip("."))
    elif isinstance(detail, list):
        for element in detail:
            yield from _aplatir(element, chemin)
    else:
        yield {"field": chemin, "message": str(detail), "code": getattr(detail, "code", "invalid")}
