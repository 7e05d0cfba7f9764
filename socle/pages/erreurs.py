"""Refusals as pages: the status and the words of the API's, and what was typed still there."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure

from socle.api.exceptions import rendre
from socle.pages.entetes import proteger

CHAMP_CSRF = "csrfmiddlewaretoken"
TEXTE_COURT = 80  # characters: a longer text is shown in a box, not hidden
TEXTES_MAX = 50


def page_de_refus(request: HttpRequest, exception: Exception, gabarit: str, **contexte: Any) -> HttpResponse:
    """Render any exception with its status; a status of 500 or more is logged, and shows its requestId alone."""
    corps, entetes = rendre(exception, request)
    entetes.pop("WWW-Authenticate", None)
    message = str(corps["message"])
    if ": " in message and message.partition(": ")[0].isupper():
        message = message.partition(": ")[2]  # a code for machines
    contexte |= {
        "message": message[:1].upper() + message[1:],
        "code": corps["code"],
        "attente": entetes.get("Retry-After"),
        "requete": getattr(request, "id_requete", ""),
    }
    reponse = render(request, gabarit, contexte, status=corps["statusCode"])
    for nom, valeur in entetes.items():
        reponse.headers[nom] = valeur
    return proteger(reponse)


def formulaire_perime(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 of a lost CSRF cookie: the same form again, with what was typed in it, under a new token."""
    if request.method != "POST" or request.path.startswith("/admin/"):
        return csrf_failure(request, reason)
    ecrits = [(nom, valeur) for nom, valeur in request.POST.items() if nom != CHAMP_CSRF and "passe" not in nom]
    contexte = {
        "titre": _("Relisez, puis envoyez de nouveau"),
        "longs": [(nom, texte) for nom, texte in ecrits[:TEXTES_MAX] if _est_long(str(texte))],
        "courts": [(nom, texte) for nom, texte in ecrits[:TEXTES_MAX] if not _est_long(str(texte))],
    }
    return proteger(render(request, "pages/perime.html", contexte, status=403))


def _est_long(texte: str) -> bool:
    return len(texte) > TEXTE_COURT or "\n" in texte
