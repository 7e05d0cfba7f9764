"""Exception handler: every refusal under /api/v1 in one envelope; an unexpected error shows only its requestId."""

import logging
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpRequest, UnreadablePostError
from rest_framework import exceptions as drf
from rest_framework.response import Response

from socle.api.renderers import erreur
from socle.domaine.provenance import requete_courante
from socle.erreurs import (
    ChampsInvalides,
    CorpsTropGrand,
    ErreurInterne,
    ErreurMetier,
    EtatChange,
    FormatRefuse,
    Introuvable,
    MethodeRefusee,
    NonAuthentifie,
    PermissionRefusee,
    RequeteMalformee,
    ResultatInconnu,
    ServiceIndisponible,
    TypeDeContenuRefuse,
)
from socle.moteur.delais import peut_avoir_fini
from socle.moteur.issue import IssueInconnue

SANS_EFFET = ("GET", "HEAD", "OPTIONS")
journal = logging.getLogger("campus.erreurs")


def gestionnaire(exc: Exception, contexte: dict[str, Any]) -> Response:
    """The EXCEPTION_HANDLER of DRF."""
    corps, entetes = rendre(exc, getattr(contexte["view"], "requete", contexte["request"]))
    return Response(corps, status=corps["statusCode"], headers=entetes)


def rendre(exc: Exception, requete: HttpRequest) -> tuple[dict[str, Any], dict[str, str]]:
    """Render any exception as `(error envelope, headers)`; one of 500 or more is logged, with what failed."""
    refus = en_refus(exc)
    if isinstance(refus, ErreurInterne):
        _signaler(requete)
    if refus.statut_http >= 500:  # behind the signal: of two events of one exception they keep the first
        dite = exc is refus and exc.__cause__ is None  # by our own code, which had nothing to trace
        journal.error("%s", refus.code, exc_info=None if dite else exc)
    entetes = {}
    if refus.statut_http == 401:
        entetes["WWW-Authenticate"] = 'Bearer realm="api"'
    if refus.attente is not None:
        entetes["Retry-After"] = str(refus.attente)
    corps = erreur(requete, statut=refus.statut_http, code=refus.code, message=refus.message, details=refus.details)
    if isinstance(refus, EtatChange):
        corps["actuel"], entetes["ETag"] = refus.actuel, refus.etag
    return corps, entetes


def _signaler(requete: HttpRequest) -> None:
    """As Django does of what no view has answered: error trackers hear it."""
    got_request_exception.send(sender=None, request=requete)


def en_refus(exc: Exception) -> ErreurMetier:
    """Map any exception to an ErreurMetier: ErreurInterne (500) for one that no row of `_EQUIVALENTS` knows."""
    if isinstance(exc, ErreurMetier):
        return exc
    if isinstance(exc, drf.ValidationError):
        return ChampsInvalides.depuis(_aplatir(exc.detail))
    if est_une_panne_de_la_base(exc):
        return ResultatInconnu() if peut_etre_fait(exc) else ServiceIndisponible(attente=5)
    return next((refus() for types, refus in _EQUIVALENTS if isinstance(exc, types)), ErreurInterne())


def est_une_panne_de_la_base(exc: BaseException) -> bool:
    """True when the database is away, hangs, or takes no writes: nothing is wrong with what was asked."""
    etat = getattr(exc.__cause__, "sqlstate", None) if isinstance(exc, InternalError) else None
    return isinstance(exc, OperationalError | InterfaceError) or etat in _ETATS_PASSAGERS


def peut_etre_fait(panne: BaseException) -> bool:
    """True where a commit was sent without an answer, or answered before the base went away."""
    requete = requete_courante.get()
    est_une_lecture = requete is not None and requete.method in SANS_EFFET
    if est_une_lecture:
        return False
    return peut_avoir_fini() or isinstance(panne.__cause__, IssueInconnue)


# PostgreSQL: a standby or a read-only base, a transaction that was idle for too long.
_ETATS_PASSAGERS = ("25006", "25P03")

_EQUIVALENTS: tuple[tuple[tuple[type[Exception], ...], type[ErreurMetier]], ...] = (
    ((drf.ParseError, UnreadablePostError), RequeteMalformee),
    ((drf.NotAuthenticated, drf.AuthenticationFailed), NonAuthentifie),
    ((drf.PermissionDenied, PermissionDenied), PermissionRefusee),
    ((Http404, drf.NotFound), Introuvable),
    ((drf.MethodNotAllowed,), MethodeRefusee),
    ((drf.NotAcceptable,), FormatRefuse),
    ((drf.UnsupportedMediaType,), TypeDeContenuRefuse),
    ((RequestDataTooBig,), CorpsTropGrand),
    ((SuspiciousOperation,), RequeteMalformee),  # a thousand parts, for one
)


def _aplatir(detail: Any, chemin: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested errors into `{field, message, code}`, with paths like a.b.0.c as fields."""
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
