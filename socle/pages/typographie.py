"""The no-break spaces of French, set once on a page that is ready: on our words, never on what somebody typed.

What people typed stands in a `<bdi>`, an element with `dir="auto"`, or a box: those are left as they are. So are
scripts, and the attributes of every tag.
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from socle.pages.intergiciels import DesPages

INSECABLE, FINE = "\u00a0", "\u202f"
_EN_FRANCAIS = b'<html lang="fr">'
_JETONS = re.compile(r"(<[^>]*>)|([^<]+)")
_BALISE = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_LAISSES = frozenset(("bdi", "textarea", "script", "style", "option", "code", "pre"))
_UNITES = r"(?:[KMG]o|h|min|s|j|%|€|jours?|heures?|minutes?|secondes?|mois|ans?|caractères)"
_REGLES = (
    (re.compile(r" (?=[;!?])"), FINE),
    (re.compile(r" (?=:(?:\s|$))"), INSECABLE),
    (re.compile(r"(?<=«) | (?=»)"), INSECABLE),
    (re.compile(rf"(?<=\d) (?={_UNITES}(?!\w))"), INSECABLE),
    (re.compile(r"(?<=\bn°) (?=\d)"), INSECABLE),
    (re.compile(r"(?<=\d\d) (?=\d\d\b)"), INSECABLE),  # a phone number
)


class _Espaces:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reponse = self.get_response(request)
        if not reponse.streaming and _EN_FRANCAIS in reponse.content[:200]:
            reponse.content = espacer(reponse.content.decode())
        return reponse


class Typographie(DesPages, _Espaces):
    """Middleware of the pages in French."""


def espacer(page: str) -> str:
    """The page with its no-break spaces, its tags and what was typed as they were."""
    rendus: list[str] = []
    laisse, profondeur = "", 0  # name of the element that is left as it is, and how deep in others of its name
    for balise, texte in _JETONS.findall(page):
        if texte:
            rendus.append(texte if laisse else en_francais(texte))
            continue
        rendus.append(balise)
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


def en_francais(texte: str) -> str:
    for regle, espace in _REGLES:
        texte = regle.sub(espace, texte)
    return texte
