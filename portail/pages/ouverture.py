"""Opening of a space in this browser: the former ends, and a text whose access ended meanwhile comes along.

A report that was begun, and is not sent, is said before: it can be sent first, or taken along. A page opens once:
the browser keeps the six words that were posted, and would send them again for whoever goes back to it.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse

from discussions.vocabulaire import DOUBLE_CLIC
from portail.models import Acces
from portail.pages.cookies import ACCES, BROUILLON, acces_ouvert, jeton_de, poser_le_cookie
from portail.pages.page import Page, cle_de_la_page, vers
from portail.pages.retour import retour_au_campus, revenir
from portail.services import brouillon, sceau
from portail.services.acces import acces_du_jeton, acteur_de
from portail.services.conflits import PREFIXE
from socle.domaine.acteurs import Acteur
from socle.pages import servies


def deja_servie(page: Page, request: HttpRequest) -> HttpResponse | None:
    """Redirect if this form did its act already: to it, blank; for who is in, to the text that waits, or the cases."""
    depuis = servies.secondes_depuis(cle_de_la_page(request))
    if depuis is None or depuis <= DOUBLE_CLIC.total_seconds():
        return None
    if acces_ouvert(request) is None:
        return vers(request.path)
    return a_reprendre(page, request) or _la_ou_l_on_allait(request, "portail:dossiers")


def d_abord(request: HttpRequest, *, emporte: bool = False) -> dict[str, Any]:
    """Context of the form at first. `emporte`: the draft comes along by itself."""
    deja = acces_ouvert(request)
    etat = _du_brouillon(request, deja, emporte=emporte)
    return {"deja": deja, **etat, "retour": retour_au_campus(request), "cle_de_la_page": sceau.tirer_jeton()}


def de_nouveau(request: HttpRequest, *, emporte: bool = False) -> dict[str, Any]:
    """Context of the form shown again, beside what was typed in it."""
    return {
        **_du_brouillon(request, acces_ouvert(request), emporte=emporte),
        **en_suspens(request),
        "emporter": "emporter" in request.POST,
        "retour": retour_au_campus(request),
        "cle_de_la_page": cle_de_la_page(request) or sceau.tirer_jeton(),
    }


def laisserait_un_brouillon(request: HttpRequest) -> bool:
    """True where a draft would be left behind and the page that was posted did not say so."""
    return "laisser" not in request.POST and "brouillon" in _du_brouillon(request, acces_ouvert(request))


def d_ou_l_on_vient(request: HttpRequest) -> Acteur | None:
    deja = acces_ouvert(request)
    return acteur_de(deja) if deja else None


def mener(page: Page, request: HttpRequest, jeton: str, *, depuis: Acteur | None) -> HttpResponse:
    """To the cases, or to the text that waits, under the cookie of the space that is open now."""
    emporte = None
    ici, attendu = acteur_de(acces_du_jeton(jeton)), jeton_de(request, BROUILLON)
    if "emporter" in request.POST:
        emporte = brouillon.emporter(attendu, de=depuis, a=ici)
    a_relire = emporte or brouillon.lire(attendu, acteur=ici)
    suite = "portail:verifier" if a_relire else "portail:dossiers"
    reponse = a_reprendre(page, request) or (vers(suite) if emporte else _la_ou_l_on_allait(request, suite))
    servies.noter(cle_de_la_page(request))
    poser_le_cookie(reponse, ACCES, jeton)
    if emporte:
        poser_le_cookie(reponse, BROUILLON, emporte)
    return reponse


def _la_ou_l_on_allait(request: HttpRequest, sinon: str) -> HttpResponse:
    """Back to the page of the campus that asked who one is; else to this one."""
    retour = retour_au_campus(request)
    return revenir(retour) if retour else vers(sinon)


def a_reprendre(page: Page, request: HttpRequest) -> HttpResponse | None:
    """The page that gives back a text that waited, or the choices of a merge; None without any."""
    attend = en_suspens(request)
    if attend["texte"]:
        return page.rendre(request, gabarit="portail/reprendre.html", **attend)
    return page.rendre(request, gabarit="portail/rattacher/reprendre.html", **attend) if attend["choisis"] else None


def en_suspens(request: HttpRequest) -> dict[str, Any]:
    """Text that was typed before the access ended, and the case it was for; the choices of a merge, by their fields."""
    rang = request.POST.get("rang", "")[:6]
    return {
        "choisis": [(nom, choix) for nom, choix in request.POST.items() if nom.startswith(PREFIXE)],
        "texte": request.POST.get("texte", ""),
        "rang": int(rang) if rang.isascii() and rang.isdigit() else 0,
        "pour": request.POST.get("pour", "")[:40],
    }


def _du_brouillon(request: HttpRequest, deja: Acces | None, *, emporte: bool = False) -> dict[str, Any]:
    """State of this browser's draft for whoever opens another space: none, left, or of a space that has closed."""
    jeton, acteur = jeton_de(request, BROUILLON), acteur_de(deja) if deja else None
    if brouillon.lire(jeton, acteur=acteur):
        return {"brouillon": True, "emporte": emporte}
    return {"brouillon_ferme": True} if brouillon.est_d_un_espace_ferme(jeton, acteur=acteur) else {}
