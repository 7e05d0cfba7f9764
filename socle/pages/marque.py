"""The name, the colour and the logo of a campus on our pages, from settings alone."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest

LOGOS = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
LOGO_MAX = 64 * 1024  # bytes
LIGNE_MAX = 100  # characters
_NUMERO = re.compile(r"\+?\d[\d ]{0,18}\d")
_COULEUR = re.compile("#[0-9a-f]{6}")


def marque(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the campus, for the frame of every page."""
    return {
        "nom": settings.PORTAIL_NOM,
        "a_sa_couleur": bool(settings.PORTAIL_COULEUR),
        "a_son_logo": bool(settings.PORTAIL_LOGO),
    }


def lire_couleur(brut: str) -> str:
    """`#rrggbb` in small letters; ValueError elsewhere. Any is legible: `couleurs` darkens or lightens what is read."""
    couleur = brut.lower()
    if not _COULEUR.fullmatch(couleur):
        raise ValueError
    return couleur


def lire_numero_court(brut: str) -> str:
    """A number as it is written and dialled, short ones too: digits, spaces, a leading +; ValueError elsewhere."""
    if not _NUMERO.fullmatch(brut):
        raise ValueError
    return brut


def lire_une_ligne(brut: str) -> str:
    """Words that end a sentence of ours, without a full stop of their own; ValueError past 100 characters or a line."""
    if len(brut) > LIGNE_MAX or not brut.isprintable():
        raise ValueError
    return brut.rstrip(" .")


def lire_logo(brut: str) -> str:
    """The path of a picture that a page may show; ValueError for another, or for one that weighs too much."""
    fichier = Path(brut)
    try:
        octets = fichier.stat().st_size
    except OSError as absent:
        raise ValueError from absent
    if fichier.suffix.lower() not in LOGOS or octets > LOGO_MAX:
        raise ValueError
    return brut
