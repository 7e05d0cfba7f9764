"""The short way of what speaks JSON: what the middleware of pages would do to it, in one piece and worked out once."""

import re
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.locale import LocaleMiddleware
from django.middleware.security import SecurityMiddleware
from django.urls import ResolverMatch, get_resolver
from django.utils import translation
from django.utils.cache import patch_vary_headers

from socle.api.champs import MOTIF_UUID
from socle.api.middleware import (
    REFUS,
    SANS_ENVELOPPE,
    noter,
    parle_json,
    reponse_erreur,
    reponse_refus,
    verifier,
)
from socle.api.reseau import identifiant_de, venu_en_https
from socle.api.routes import SANS_ROUTE
from socle.domaine.provenance import requete_courante

Suite = Callable[[HttpRequest], HttpResponse]
CSP = "default-src 'none'; frame-ancestors 'none'; sandbox"
ROUTES_CONNUES = 1024
_UUID = re.compile(f"({MOTIF_UUID})")


class Voie:
    """First of MIDDLEWARE: JSON goes the short way, pages and files through the middleware that follows."""

    def __init__(self, get_response: Suite) -> None:
        self._pages = get_response
        self._securite = SecurityMiddleware(get_response)
        self._cors = CorsMiddleware(self._proteger)
        self._langue = LocaleMiddleware(get_response)
        self._routes = Routes()
        self._entetes: dict[bool, dict[str, tuple[str, str]]] = {}
        self._cors_partout = re.compile(settings.CORS_URLS_REGEX)

    def __call__(self, request: Any) -> HttpResponse:
        chemin = request.path
        requete_courante.set(request)
        if not parle_json(chemin) or SANS_ENVELOPPE.match(chemin):
            return self._pages(request)
        debut = time.perf_counter()
        request.id_requete = identifiant_de(request)
        if venu_en_https(request):
            request.META["wsgi.url_scheme"] = "https"
        reponse = (self._securite.redirect and self._securite.process_request(request)) or self._parler(request)
        # Here and below `_store`: what is checked and written once, an assignment to `headers` would check again.
        entetes = reponse.headers._store
        for cle, paire in self._entetes_fixes(request.META["wsgi.url_scheme"] == "https").items():
            entetes.setdefault(cle, paire)
        entetes["x-request-id"] = ("X-Request-Id", request.id_requete)
        noter(request, reponse.status_code, time.perf_counter() - debut)
        return reponse

    def _parler(self, request: Any) -> HttpResponse:
        if "HTTP_ORIGIN" in request.META:
            return self._cors(request)  # type: ignore[return-value]
        reponse = self._proteger(request)
        if self._cors_partout.match(request.path):
            _varier(reponse, "origin")
        return reponse

    def _proteger(self, request: Any) -> HttpResponse:
        """In the language of the request; refuse what is refused before its body is read."""
        if not _langue_connue(request):
            self._langue.process_request(request)
        try:
            if refus := request.META.get(REFUS):
                raise refus
            verifier(request)
        except Exception as erreur:
            reponse = reponse_refus(request, erreur)
        else:
            reponse = self._repondre(request)
        _varier(reponse, "Accept-Language")
        reponse.headers._store.setdefault("content-language", ("Content-Language", request.LANGUAGE_CODE))
        return reponse

    def _repondre(self, request: Any) -> HttpResponse:
        try:
            trouvee = self._routes.trouver(request)
            reponse = trouvee.func(request, *trouvee.args, **trouvee.kwargs)
            if hasattr(reponse, "render") and not reponse.is_rendered:
                reponse.render()
        except Exception as erreur:
            return reponse_erreur(request, erreur)
        return reponse  # type: ignore[no-any-return]

    def _entetes_fixes(self, en_https: bool) -> dict[str, tuple[str, str]]:
        """The headers that Django's own middleware would put on any answer, asked of it once."""
        if en_https not in self._entetes:
            requete, reponse = _EnHttps() if en_https else HttpRequest(), HttpResponse()
            reponse = self._securite.process_response(requete, reponse)
            reponse = XFrameOptionsMiddleware(self._pages).process_response(requete, reponse)
            del reponse.headers["Content-Type"]
            reponse.headers.setdefault("Cache-Control", "no-store")
            reponse.headers.setdefault("Content-Security-Policy", CSP)
            self._entetes[en_https] = dict(reponse.headers._store)
        return self._entetes[en_https]


class _EnHttps(HttpRequest):
    def _get_scheme(self) -> str:
        return "https"


class Routes:
    """The router of Django, remembered for paths that differ by their UUIDs alone."""

    def __init__(self) -> None:
        self._connues: dict[tuple[str, str], tuple[ResolverMatch, tuple[str, ...]]] = {}

    def trouver(self, request: Any) -> ResolverMatch:
        chemin = request.path_info
        morceaux = _UUID.split(chemin)  # what is fixed, with the ids in between
        ids = morceaux[1::2]
        cle = (settings.ROOT_URLCONF, "*".join(morceaux[::2]) if ids else chemin)
        if connue := self._connues.get(cle):
            trouvee, noms = connue
            if ids:
                autre = ResolverMatch.__new__(ResolverMatch)
                vars(autre).update(vars(trouvee), kwargs=dict(zip(noms, ids, strict=True)))
                trouvee = autre
        else:
            trouvee = get_resolver().resolve(chemin)
            # Kept where the ids are all that the path varies by.
            est_connue = trouvee.url_name != SANS_ROUTE and not trouvee.args and "*" not in chemin
            if est_connue and list(trouvee.kwargs.values()) == ids:
                if len(self._connues) >= ROUTES_CONNUES:
                    self._connues.clear()
                self._connues[cle] = trouvee, tuple(trouvee.kwargs)
        request.resolver_match = trouvee
        return trouvee


def _varier(reponse: HttpResponse, nom: str) -> None:
    entetes = reponse.headers._store
    _nom, deja = entetes.get("vary", ("Vary", ""))
    entetes["vary"] = ("Vary", _vary(deja, nom))


@lru_cache(maxsize=64)
def _vary(deja: str, nom: str) -> str:
    """The value of Vary with this name, as Django adds it."""
    reponse = HttpResponse(headers={"Vary": deja} if deja else {})
    patch_vary_headers(reponse, (nom,))
    return reponse.headers["Vary"]


def _langue_connue(request: Any) -> bool:
    """Set the language from Accept-Language alone; False where a cookie may say otherwise, or the header is long."""
    demandee = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    if "HTTP_COOKIE" in request.META or len(demandee) > 100:
        return False
    langue = _langue_de(demandee)
    translation.activate(langue)
    request.LANGUAGE_CODE = langue
    return True


@lru_cache(maxsize=256)
def _langue_de(demandee: str) -> str:
    requete = HttpRequest()
    requete.META["HTTP_ACCEPT_LANGUAGE"] = demandee
    return translation.get_language_from_request(requete)
