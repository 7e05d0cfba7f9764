"""Refusals as pages: the status and the words of the API's, and what was typed still there."""

import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.csrf import csrf_failure

from socle.api.exceptions import en_refus, rendre
from socle.api.middleware import DE_L_EQUIPE, REFUS, longueur_dite
from socle.erreurs import EnvoiTropLent
from socle.pages.depart import est_parti
from socle.pages.entetes import proteger
from socle.pages.venue import sans_origine, se_dit_d_ici, tait_son_origine, vient_d_ailleurs

CHAMP_CSRF = "csrfmiddlewaretoken"
BOUTONS = (CHAMP_CSRF, "vers")  # a token, and a button that led elsewhere: not what was typed
# What somebody tells, shown again however short; of the other fields only what nobody would choose from a list.
RECITS = {"description", "description_temoins", "contenu", "texte", "titre", "lieu_incident", "motif"}
TEXTE_COURT = 20  # characters
_DE_MACHINE = re.compile(r"[A-Za-z0-9_:-]{1,200}")


def page_de_refus(request: HttpRequest, exception: Exception, gabarit: str, **contexte: Any) -> HttpResponse:
    """Render any exception with its status; a status of 500 or more is logged, and shows its requestId alone."""
    corps, entetes = rendre(exception, request)
    entetes.pop("WWW-Authenticate", None)
    message = str(en_refus(exception).message_de_page)
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
    d_origine = reason.startswith(("Origin", "Referer"))
    tait = d_origine and tait_son_origine(request)
    est_a_nous = not d_origine or tait or se_dit_d_ici(request)
    est_muet = sans_origine(request) and not request.COOKIES
    ailleurs = vient_d_ailleurs(request) or not (est_a_nous or est_muet)
    if request.method != "POST" or ailleurs:
        return csrf_failure(request, reason)
    de_l_equipe = request.path.startswith(DE_L_EQUIPE)
    contexte: dict[str, Any] = {"portail": settings.PORTAIL_ENABLED and not de_l_equipe}
    coupe = isinstance(request.META.get(REFUS), EnvoiTropLent)
    if est_parti(request) and not de_l_equipe:
        contexte |= {"titre": _("Rien n'a été envoyé"), "parti": True}
    else:
        contexte |= {"fichier": bool(request.FILES), **_pourquoi(request, tait)}
        # Without a cookie, nor a word of where it comes from, it may be another site's: what to do is said, no text.
        contexte |= ecrits(request) if est_a_nous else {"sans_texte": True}
    statut = EnvoiTropLent.statut_http if coupe else 403
    return proteger(render(request, "pages/perime.html", contexte, status=statut))


def envoi_coupe(request: HttpRequest) -> HttpResponse | None:
    """The page of a form that stopped coming, with the text that did; None for any other request."""
    refus = request.META.get(REFUS)
    if not isinstance(refus, EnvoiTropLent):
        return None
    de_l_equipe = request.path.startswith(DE_L_EQUIPE)
    contexte = {"portail": settings.PORTAIL_ENABLED and not de_l_equipe, **COUPE, **ecrits(request)}
    return proteger(render(request, "pages/perime.html", contexte, status=refus.statut_http))


COUPE = {"titre": gettext_lazy("Votre envoi n'est pas arrivé entier"), "coupe": True}


def _pourquoi(request: HttpRequest, tait: bool) -> dict[str, Any]:
    """Context of the page of a form that was not taken, by what came with it."""
    if isinstance(request.META.get(REFUS), EnvoiTropLent) or (not request.POST and longueur_dite(request)):
        return COUPE
    if not request.COOKIES:
        return {"titre": _("Votre navigateur n'a envoyé aucun cookie"), "sans_cookie": True}
    if tait:
        return {"titre": _("Votre navigateur tait d'où il envoie"), "sans_origine": True}
    return {"titre": _("Relisez, puis envoyez de nouveau")}


def ecrits(request: HttpRequest) -> dict[str, Any]:
    """Fields that were posted, to be sent again: `textes` in boxes, `caches` hidden; no password, no token, no file."""
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
