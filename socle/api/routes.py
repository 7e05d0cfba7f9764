"""Route templates for logs and metrics, instead of paths, which may hold a guest id or a key."""

import re
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve

from socle.metriques import INCONNUE

SANS_ROUTE = "inconnue"  # the name of the catch-all patterns, which answer 404
_VARIABLE = re.compile(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>")


def route_de(request: HttpRequest) -> str:
    """The template of a request's route, of bounded cardinality; resolved here for one refused before its routing."""
    trouvee = request.resolver_match
    return _etiquette(trouvee.url_name, trouvee.route) if trouvee else route_du_chemin(request.path_info)


def route_du_chemin(chemin: str) -> str:
    if chemin.startswith(settings.STATIC_URL):
        return f"{settings.STATIC_URL}{{fichier}}"
    try:
        trouvee = resolve(chemin)
    except Resolver404:
        return INCONNUE
    return _etiquette(trouvee.url_name, trouvee.route)


def _etiquette(nom: str | None, route: str) -> str:
    return INCONNUE if nom == SANS_ROUTE else gabarit(route)


@lru_cache(maxsize=1024)
def gabarit(route: str) -> str:
    """`^api/v1/x/(?P<id>…)/?$` as `/api/v1/x/{id}`."""
    nue = _VARIABLE.sub(lambda trouve: f"{{{trouve[1] or trouve[2]}}}", route)
    return f"/{nue.removeprefix('^').removesuffix('$').removesuffix('/?')}".replace("\\.", ".")
