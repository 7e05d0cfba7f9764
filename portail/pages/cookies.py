"""The cookies of a browser, set out of reach of scripts and of other sites, and the space that one of them opens."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from portail.models import Acces
from portail.services import acces as services
from portail.services.sceau import JETON_MAX
from socle.erreurs import ErreurMetier
from socle.pages.depart import nom_du_cookie
from socle.pages.venue import est_en_avance

ACCES, BROUILLON = "espace", "brouillon"


def jeton_de(request: HttpRequest, sorte: str) -> str:
    """The token of a cookie, or "" for none and for what cannot be one of ours."""
    jeton = request.COOKIES.get(nom_du_cookie(sorte), "")
    return jeton if len(jeton) <= JETON_MAX and jeton.isascii() else ""


def poser_le_cookie(reponse: HttpResponse, sorte: str, jeton: str, *, duree: timedelta | None = None) -> None:
    """For this browser session alone, or as long as one asked."""
    options: dict[str, Any] = {"secure": settings.HTTPS_ONLY, "httponly": True, "samesite": "Strict"}
    if duree is not None:
        options["max_age"] = duree
    reponse.set_cookie(nom_du_cookie(sorte), jeton, path="/", **options)


def est_venu(request: HttpRequest, sorte: str) -> bool:
    """True where the browser sent this cookie, whatever it holds; from another site it sends none of ours."""
    return nom_du_cookie(sorte) in request.COOKIES


def oublier_les_cookies(reponse: HttpResponse, *sortes: str) -> None:
    """With the attributes they were set with, which a `__Host-` cookie needs to go."""
    for sorte in sortes:
        poser_le_cookie(reponse, sorte, "")
        reponse.cookies[nom_du_cookie(sorte)]["max-age"] = 0
        reponse.cookies[nom_du_cookie(sorte)]["expires"] = "Thu, 01 Jan 1970 00:00:00 GMT"


def oublier_l_acces(request: HttpRequest, reponse: HttpResponse) -> None:
    """The cookie that came and opens nothing; one that stayed behind may open a space."""
    if est_venu(request, ACCES):
        oublier_les_cookies(reponse, ACCES)


def acces_de(request: HttpRequest) -> Acces:
    """The open access of this browser, or the refusal that says why not."""
    return services.acces_du_jeton(jeton_de(request, ACCES))


def acces_ouvert(request: HttpRequest) -> Acces | None:
    """The open access of this browser, if it has one; asking is using it."""
    try:
        acces = acces_de(request) if jeton_de(request, ACCES) else None
    except ErreurMetier:
        return None
    if acces is not None and not est_en_avance(request):
        services.noter_usage(acces)
    return acces
