"""The devices that the team's door knows: a cookie of the browser, which opens nothing."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from accounts.tasks import prevenir
from accounts.vocabulaire import Surete
from socle.domaine.chiffrement import empreinte
from socle.pages.depart import nom_du_cookie

SEL = "accounts.appareils"
DUREE = timedelta(days=400)  # what browsers keep at most
COMPTES_MAX = 8  # of one browser, the last ones: a desk that several share


def reconnaitre(request: HttpRequest, reponse: HttpResponse) -> None:
    """Mail whoever has just signed in where this browser is new to their account, and have it known from now on.

    Until the password changes: a thief's device is then as new as before.
    """
    compte: Any = request.user
    if not compte.is_authenticated:
        return
    connus = _connus(request)
    celui_ci = _celui_ci(compte)
    if celui_ci not in connus:
        prevenir(compte, Surete.APPAREIL_NOUVEAU)
    _garder(reponse, celui_ci, connus)


def connait(request: HttpRequest) -> bool:
    """True where this browser has signed in to the account of the request, under its present password."""
    return _celui_ci(request.user) in _connus(request)


def retenir(request: HttpRequest, reponse: HttpResponse) -> None:
    """Have the browser known under a password that its own person has just chosen there."""
    _garder(reponse, _celui_ci(request.user), _connus(request))


def _celui_ci(compte: Any) -> str:
    return empreinte("appareil", f"{compte.pk}:{compte.password}")


def _garder(reponse: HttpResponse, celui_ci: str, connus: list[str]) -> None:
    gardes = [celui_ci, *(autre for autre in connus if autre != celui_ci)][:COMPTES_MAX]
    reponse.set_cookie(
        nom_du_cookie("appareil"),
        signing.dumps(gardes, salt=SEL),
        max_age=DUREE,
        path="/",
        secure=settings.HTTPS_ONLY,
        httponly=True,
        samesite="Strict",
    )


def _connus(request: HttpRequest) -> list[str]:
    try:
        return list(signing.loads(request.COOKIES.get(nom_du_cookie("appareil"), ""), salt=SEL, max_age=DUREE))
    except signing.BadSignature:
        return []
