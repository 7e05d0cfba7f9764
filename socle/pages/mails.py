"""The three parts of a mail, from one template and three frames: all that one part says, the others say."""

import html
from typing import Any, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import get_language

from socle.pages.couleurs import ecrites
from socle.pages.typographie import composer


class Mail(NamedTuple):
    sujet: str
    texte: str
    html: str


def ecrire(modele: str, contexte: dict[str, Any]) -> Mail:
    """In the language and at the hour that are active; `lien`, where there is one, is the mail's only button."""
    clair, sombre = ecrites(settings.PORTAIL_COULEUR)
    contexte = {"nom": settings.PORTAIL_NOM, "clair": clair, "sombre": sombre, **contexte}
    sujet = _en_clair(_partie(modele, "cadre_sujet.txt", contexte))
    texte = _en_clair(_partie(modele, "cadre.txt", contexte))
    return Mail(sujet, f"{texte}\n", _partie(modele, "cadre.html", {**contexte, "sujet": sujet}))


def _partie(modele: str, cadre: str, contexte: dict[str, Any]) -> str:
    """Through the same typography as the pages, which leaves what stands in a `<bdi>`: a name, a link."""
    rendue = render_to_string(f"mails/{modele}.txt", {"cadre": f"mails/{cadre}", **contexte})
    return composer(rendue) if get_language() == "fr" else rendue


def _en_clair(rendue: str) -> str:
    """Plain text: it was rendered as HTML is, so that no tag in it is anybody's but ours."""
    return html.unescape(strip_tags(rendue)).strip()
