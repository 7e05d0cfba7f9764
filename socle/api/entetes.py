"""Language and CORS: the middleware of Django and of corsheaders, which JSON meets without what it asks of pages.

A sixth of the shortest answer, together: docs/performance.md.
"""

import re
from functools import lru_cache
from typing import Any

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

LANGUES_RETENUES, RETENUE_MAX = 256, 100  # headers whose reading is remembered, and their characters


class Langue(LocaleMiddleware):
    """Of JSON, whose addresses name no language, the one that Accept-Language asks for, or a cookie."""

    def process_request(self, request: Any) -> None:
        demandee = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
        if not request.en_json or "HTTP_COOKIE" in request.META or len(demandee) > RETENUE_MAX:
            super().process_request(request)
            return
        request.LANGUAGE_CODE = langue_de(demandee)
        translation.activate(request.LANGUAGE_CODE)

    def process_response(self, request: Any, response: Any) -> Any:
        if not request.en_json:
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response


@lru_cache(LANGUES_RETENUES)
def langue_de(demandee: str) -> str:
    """The language of the service that this Accept-Language prefers."""
    requete = HttpRequest()
    requete.META["HTTP_ACCEPT_LANGUAGE"] = demandee
    return translation.get_language_from_request(requete)


def langue_demandee(requete: Any) -> str:
    """The language that `?lang=` names, French for one that the service does not speak; without it, the request's."""
    nommee = requete.GET.get("lang")
    if nommee is None:
        langue: str = requete.LANGUAGE_CODE
        return langue
    try:
        return translation.get_supported_language_variant(nommee)
    except (LookupError, ValueError):  # ValueError: too long to be one
        return settings.LANGUAGE_CODE


class OriginesCroisees(CorsMiddleware):
    """Without an Origin, which browsers send for another site's page, there is nothing to allow."""

    def __call__(self, request: Any) -> Any:
        if "HTTP_ORIGIN" in request.META:
            return super().__call__(request)
        reponse: Any = self.get_response(request)
        if re.match(settings.CORS_URLS_REGEX, request.path_info):
            patch_vary_headers(reponse, ("origin",))
        return reponse
