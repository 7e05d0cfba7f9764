"""Somebody who has left: the browser may send again what it had posted before, and nothing of it is shown."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

VALEUR = "1"


def nom_du_cookie(sorte: str) -> str:
    return f"__Host-{sorte}" if settings.HTTPS_ONLY else sorte


def noter_le_depart(reponse: HttpResponse) -> None:
    """Forget the token of the forms that were open; a cookie without content says so until the browser is closed."""
    reponse.delete_cookie(settings.CSRF_COOKIE_NAME, samesite="Lax")
    options: dict[str, Any] = {"secure": settings.HTTPS_ONLY, "httponly": True, "samesite": "Strict"}
    reponse.set_cookie(nom_du_cookie("parti"), VALEUR, path="/", **options)


def est_parti(request: HttpRequest) -> bool:
    return nom_du_cookie("parti") in request.COOKIES
