"""The middleware of every request: an id, a log line without secrets, answers in the envelope, headers."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from socle.api.exceptions import en_refus, rendre
from socle.api.reponses import en_json
from socle.api.reseau import adresse_journalisee, venu_en_https
from socle.api.routes import route_de
from socle.domaine.erreurs import CorpsTropGrand, FichierTropGrand, RequeteMalformee
from socle.metriques import compter_requete, methode_connue

acces = logging.getLogger("campus.acces")
Suite = Callable[[HttpRequest], HttpResponse]
REFUS = "campus.refus"  # in the WSGI environment: the refusal that was decided before Django saw the request
_SANS_ENVELOPPE = re.compile(r"^/api/v1/(docs|redoc)/?$")


_AUSSI_EN_JSON = ("/health", "/health/live", "/metrics", "/openapi.json")


def parle_json(chemin: str) -> bool:
    return chemin.startswith("/api/") or chemin.rstrip("/") in _AUSSI_EN_JSON


class Enveloppe:
    """Outermost: gives the request its id, its true scheme and host, and answers what Django would answer in HTML."""

    def __init__(self, get_response: Suite) -> None:
        self.suite = get_response

    def __call__(self, request: Any) -> HttpResponse:
        debut = time.perf_counter()
        request.id_requete = uuid.uuid4().hex
        if venu_en_https(request):
            request.META["wsgi.url_scheme"] = "https"
        reponse = self.suite(request)
        reponse["X-Request-Id"] = request.id_requete
        if parle_json(request.path) and not _SANS_ENVELOPPE.match(request.path):
            reponse.setdefault("Cache-Control", "no-store")
            reponse["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        self._noter(request, reponse, time.perf_counter() - debut)
        return reponse

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Log and render in the envelope what an API view did not catch; None leaves a page's error to Django."""
        return reponse_erreur(request, exception) if parle_json(request.path) else None

    def _noter(self, request: Any, reponse: HttpResponse, duree: float) -> None:
        # The route, never the path: a path can hold a guest id, a query anything.
        route = route_de(request)
        compter_requete(request.method, route, reponse.status_code, None if REFUS in request.META else duree)
        acces.info(
            "requete",
            extra={
                "methode": methode_connue(request.method),
                "route": route,
                "statut": reponse.status_code,
                "ms": round(duree * 1000, 1),
                "acteur": getattr(request, "source_acteur", "-"),
                "adresse": adresse_journalisee(request),
                "requestId": request.id_requete,
            },
        )


class Garde:
    """Refuse before the body is read; inside the security and CORS middleware, so a refusal has their headers."""

    def __init__(self, get_response: Suite) -> None:
        self.suite = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            if refus := request.META.get(REFUS):
                raise refus
            verifier(request)
        except Exception as erreur:
            return reponse_refus(request, erreur)
        return self.suite(request)


def verifier(request: HttpRequest) -> None:
    """Refuse a host that is not ours, a body declared too large, a NUL in a query of the admin site."""
    if request.META.get("HTTP_ACCEPT", "").strip() == "":
        request.META.pop("HTTP_ACCEPT", None)  # empty asks for nothing in particular
    try:
        request.get_host()
    except DisallowedHost as erreur:
        raise RequeteMalformee(_("Cet hôte n'est pas servi ici.")) from erreur
    refuser_trop_grand(request.path, _longueur(request))
    if request.path.startswith("/admin/") and "%00" in request.META.get("QUERY_STRING", ""):
        raise RequeteMalformee(_("La requête est illisible."))


def refuser_trop_grand(chemin: str, longueur: int) -> None:
    """Compare Content-Length with the limit of this path; FichierTropGrand or CorpsTropGrand (413) above it."""
    fichier = settings.TELEVERSEMENTS.get(chemin.rstrip("/"))
    if fichier is not None and longueur > fichier + settings.JSON_MAX_OCTETS:
        raise FichierTropGrand(fichier)
    if fichier is None and parle_json(chemin) and longueur > settings.JSON_MAX_OCTETS:
        raise CorpsTropGrand


def _longueur(request: HttpRequest) -> int:
    texte = request.META.get("CONTENT_LENGTH") or "0"
    if not (texte.isascii() and texte.isdigit()):
        raise RequeteMalformee
    return int(texte)


def reponse_erreur(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The error envelope outside DRF."""
    corps, entetes = rendre(exception, request)
    entetes["Content-Type"] = "application/json"
    return HttpResponse(en_json(corps), status=corps["statusCode"], headers=entetes)


def reponse_refus(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render a refusal in the envelope on paths that speak JSON, as an HTML page with the same status elsewhere."""
    reponse = reponse_erreur(request, exception)
    if parle_json(request.path):
        return reponse
    refus = en_refus(exception)
    contexte = {"titre": refus.message, "requete": getattr(request, "id_requete", "")}
    entetes = {nom: valeur for nom, valeur in reponse.headers.items() if nom != "Content-Type"}
    return HttpResponse(render_to_string("erreur.html", contexte, request), status=refus.statut_http, headers=entetes)


class _HorsApi(MiddlewareMixin):
    """Mixin that skips a middleware of the admin site and the pages on JSON paths: the API has no cookies."""

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request) if parle_json(request.path) else super().__call__(request)


class Sessions(_HorsApi, SessionMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        """Drop a session cookie that is not alphanumeric: no key is, and PostgreSQL refuses the NUL it may hold."""
        cle = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if not (cle.isascii() and cle.isalnum()):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)


class Csrf(_HorsApi, CsrfViewMiddleware):
    def process_view(self, request: HttpRequest, *args: Any) -> Any:
        return None if parle_json(request.path) else super().process_view(request, *args)


class Authentification(_HorsApi, AuthenticationMiddleware):
    pass


class Messages(_HorsApi, MessageMiddleware):
    pass
