"""French typography, set once on a page that is ready: no-break spaces, « ’ », « 1er », on our words alone.

What people typed stands in a `<bdi>`, an element with `dir="auto"`, or a box: those are left as they are. So are
scripts, and every attribute but those in which we speak: `aria-label`, `placeholder`, the words kept for a script.
Words of ours that stand where typed ones may, in a `<bdi>` or an `<option>`, are composed before (`dite`).
"""

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language

from socle.pages.intergiciels import DesPages

INSECABLE, FINE, APOSTROPHE = "\u00a0", "\u202f", "\u2019"
_EN_FRANCAIS = b'<html lang="fr">'
# The admin site sets nothing that was typed apart: of its pages, those that show none of it, or have it set apart.
_EN_FRANCAIS_PAR_DJANGO = b'<html lang="fr" dir="ltr">'
_SANS_RIEN_DE_TAPE = frozenset(("admin:index", "admin:app_list"))
_JETONS = re.compile(r"(<[^>]*>)|([^<]+)")
_BALISE = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_DITS = re.compile(
    r' ((?:aria-label|placeholder|data-(?:texte-[a-z]+|chargement|encore|fait|grand|neufs|ordre|perdu|pris))=")([^"]*)'
)
_LAISSES = frozenset(("bdi", "textarea", "script", "style", "option", "code", "pre"))
_UNITES = r"(?:[KMG]o|h|min|s|j|%|€|jours?|heures?|minutes?|secondes?|mois|ans?|caractères)"
_MOIS = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
_A_METTRE = re.compile(r"['&;!?:«»\d]")  # no rule is about a text without one of these
_REGLES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # A number of another country is in groups of any length: « +33 6 39 98 00 21 ».
    (re.compile(r"\+\d{1,3}(?: \d{1,4}){2,}(?!\d)"), lambda numero: numero[0].replace(" ", INSECABLE)),
    (re.compile(r" (?=[;!?])"), FINE),
    (re.compile(r" (?=:(?:\s|$))"), INSECABLE),
    (re.compile(r"(?<=«) | (?=»)"), INSECABLE),
    (re.compile(rf"(?<=\d) (?={_UNITES}(?!\w))"), INSECABLE),
    (re.compile(r"(?<=\bn°) (?=\d)"), INSECABLE),
    (re.compile(r"(?<=\d\d) (?=\d\d\b)"), INSECABLE),  # a phone number
    (re.compile(rf"\b1(?= {_MOIS}\b)"), "1er"),
    # An elision may end its text, before what stands in a tag: « d'<bdi>Awa</bdi> ».
    (re.compile(r"(?<=[^\W\d_])(?:'|&#x27;|&#39;)(?=\w| ?«|$)"), APOSTROPHE),
)


class _Typographie:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reponse = self.get_response(request)
        if not reponse.streaming and _se_compose(request, reponse.content[:200]):
            reponse.content = composer(reponse.content.decode())
        return reponse


def _se_compose(request: HttpRequest, debut: bytes) -> bool:
    if _EN_FRANCAIS in debut:
        return True
    vue = request.resolver_match
    return _EN_FRANCAIS_PAR_DJANGO in debut and vue is not None and vue.view_name in _SANS_RIEN_DE_TAPE


class Typographie(DesPages, _Typographie):
    """Middleware of the pages in French."""


def composer(page: str) -> str:
    """The page as it is printed, its tags and what was typed as they were."""
    rendus: list[str] = []
    laisse, profondeur = "", 0  # name of the element that is left as it is, and how deep in others of its name
    for balise, texte in _JETONS.findall(page):
        if texte:
            rendus.append(texte if laisse else en_francais(texte))
            continue
        rendus.append(balise if laisse else _DITS.sub(_dit, balise))
        lue = _BALISE.match(balise)
        if lue is None:
            continue
        fin, nom = lue.groups()
        if laisse:
            profondeur += (nom == laisse) * (-1 if fin else 1)
            laisse = laisse if profondeur else ""
        elif not fin and (nom in _LAISSES or 'dir="auto"' in balise) and nom != "input":
            laisse, profondeur = nom, 1
    return "".join(rendus)


def _dit(attribut: re.Match[str]) -> str:
    return f" {attribut[1]}{en_francais(attribut[2])}"


def dite(texte: Any) -> str:
    """A text for a place that the middleware leaves as it is: composed where it is lazy, as the code writes its own.

    What people typed is never lazy.
    """
    lue = str(texte)
    return en_francais(lue) if isinstance(texte, Promise) and get_language() == "fr" else lue


def en_francais(texte: str) -> str:
    if _A_METTRE.search(texte) is not None:
        for regle, mis in _REGLES:
            texte = regle.sub(mis, texte)
    return texte
