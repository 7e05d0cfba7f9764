"""Refusals as pages: the status and the words of the API's, and what was typed still there."""

import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure

from socle.api.exceptions import rendre
from socle.api.middleware import DE_L_EQUIPE
from socle.pages.depart import est_parti
from socle.pages.entetes import proteger

CHAMP_CSRF = "csrfmiddlewaretoken"
BOUTONS = (CHAMP_CSRF, "vers")  # a token, and a button that led elsewhere: not what was typed
# What somebody tells, shown again however short; of the other fields only what nobody would choose from a list.
RECITS = {"description", "description_temoins", "contenu", "texte", "titre", "lieu_incident", "motif"}
TEXTE_COURT = 20  # characters
# What a browser says of where a request comes from, when it comes from a page of ours or from nowhere.
D_ICI = ("", "none", "same-origin")
_DE_MACHINE = re.compile(r"[A-Za-z0-9_:-]{1,200}")


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
        "requete": getattr(request, "id_requete", ""),
    }
    reponse = render(request, gabarit, contexte, status=corps["statusCode"])
    for nom, valeur in entetes.items():
        reponse.headers[nom] = valeur
    return proteger(reponse)


def formulaire_perime(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 of a lost CSRF cookie: the same form again, with what was typed in it, under a new token.

    For a form of our own pages alone: another site's, shown again, would be ours at the next click. Of who has left
    the portal since, nothing: « Retour », then « Recharger », sends it again by itself.
    """
    ailleurs = reason.startswith(("Origin", "Referer")) or request.headers.get("Sec-Fetch-Site", "") not in D_ICI
    if request.method != "POST" or ailleurs or request.path.startswith("/admin"):
        return csrf_failure(request, reason)
    de_l_equipe = request.path.startswith(DE_L_EQUIPE)
    contexte: dict[str, Any] = {"portail": settings.PORTAIL_ENABLED and not de_l_equipe}
    if est_parti(request) and not de_l_equipe:
        contexte |= {"titre": _("Rien n'a été envoyé"), "parti": True}
    else:
        contexte |= {"titre": _("Relisez, puis envoyez de nouveau"), "fichier": bool(request.FILES), **ecrits(request)}
    return proteger(render(request, "pages/perime.html", contexte, status=403))


def ecrits(request: HttpRequest) -> dict[str, Any]:
    """What was posted, to be sent again: `textes` in boxes, `caches` hidden; no password, no token, no file."""
    try:
        postes = list(request.POST.lists()) if request.method == "POST" else []
    except Exception:  # whatever made it unreadable is the refusal itself
        postes = []
    # All of them: a choice of people that is cut short is another choice. Django reads so many at the most.
    gardes = [(nom, str(un)) for nom, tous in postes if nom not in BOUTONS and _est_a_rendre(nom) for un in tous]
    return {
        "textes": [(nom, texte) for nom, texte in gardes if _est_un_texte(nom, texte)],
        "caches": [(nom, texte) for nom, texte in gardes if not _est_un_texte(nom, texte)],
    }


def _est_a_rendre(nom: str) -> bool:
    return nom != "otp" and "pass" not in nom.lower()


def _est_un_texte(nom: str, texte: str) -> bool:
    """Written by somebody, and not a number, a name or an address; a key or a choice of ours is shown to nobody."""
    if nom.rpartition("-")[2] in RECITS:  # behind the prefix of a form among several
        return bool(texte.strip())
    return _DE_MACHINE.fullmatch(texte) is None and (len(texte) > TEXTE_COURT or "\n" in texte)
