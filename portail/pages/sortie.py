"""Leaving quickly: nothing of the case comes back with « Retour », and nothing waits for the base."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from portail.pages.cookies import ACCES, BROUILLON, est_venu, jeton_de, oublier_les_cookies
from portail.services import brouillon
from portail.services.acces import terminer
from socle.pages.depart import noter_le_depart
from socle.pages.entetes import proteger
from socle.pages.venue import est_en_avance, vient_d_ailleurs

CHANGE = "rien"  # a cookie that changes: a page kept for « Retour » is dropped with it
ATTENTES_MAX = 500  # ends of accesses that wait for the base; past it they are left to their own end

_executant = ThreadPoolExecutor(1, thread_name_prefix="sortie")
_places = threading.BoundedSemaphore(ATTENTES_MAX)


class _EnPartant(View):
    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.PORTAIL_ENABLED:
            raise Http404
        return proteger(super().dispatch(request, *args, **kwargs))  # type: ignore[arg-type]


class Quitter(_EnPartant):
    """A blank page that leads on by itself; the access of the cookie ends beside the answer."""

    def get(self, request: HttpRequest) -> HttpResponse:
        if est_en_avance(request):
            return HttpResponse(status=403)  # a browser throws it away: who then leaves asks for the page itself
        reponse = render(request, "portail/quitter.html")
        # Where a browser says that another site led here, nothing is ended: no link elsewhere throws somebody out.
        if request.method == "GET" and not vient_d_ailleurs(request):
            if est_venu(request, ACCES) or est_venu(request, BROUILLON):
                terminer_a_part(jeton_de(request, ACCES), jeton_de(request, BROUILLON))
            oublier_les_cookies(reponse, ACCES, BROUILLON)
            reponse.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
            noter_le_depart(reponse)
        return reponse


class SiteNeutre(_EnPartant):
    """A second address of ours, which changes a cookie again, then the neutral site."""

    def get(self, request: HttpRequest) -> HttpResponse:
        reponse = HttpResponse(status=303, headers={"Location": settings.PORTAIL_SORTIE_URL})
        options: dict[str, Any] = {"httponly": True, "samesite": "Strict", "secure": settings.HTTPS_ONLY}
        reponse.set_cookie(CHANGE, "1", max_age=1, **options)
        return reponse


def finir(acces: str, ecrit: str) -> None:
    """End the access, and delete the draft: its cookie, copied before, shows it no more."""
    terminer(acces)
    brouillon.effacer(ecrit)


def terminer_a_part(acces: str, ecrit: str) -> None:
    """`finir` in a thread of its own, one visit at a time."""
    if _places.acquire(blocking=False):
        _executant.submit(_terminer, acces, ecrit).add_done_callback(lambda _fait: _places.release())


def _terminer(acces: str, ecrit: str) -> None:
    """A base that is away leaves both to their own end; the browser has forgotten them."""
    try:
        with suppress(DatabaseError, InterfaceError):
            finir(acces, ecrit)
    finally:
        connections.close_all()
