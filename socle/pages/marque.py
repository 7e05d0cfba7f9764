"""The name, the colour and the logo of a campus on our pages, from settings alone."""

from pathlib import Path
from typing import Any

from django.conf import settings

ASSEZ = 4.5  # contrast of a text with what is behind it, WCAG AA
BLANC, FOND_SOMBRE = (255, 255, 255), (0x10, 0x16, 0x1D)  # behind our texts, by theme: commun.css
LOGOS = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
LOGO_MAX = 64 * 1024  # bytes
Rvb = tuple[int, int, int]


def marque() -> dict[str, Any]:
    """Context of the campus for the frame of a page."""
    return {
        "nom": settings.PORTAIL_NOM,
        "a_sa_couleur": bool(settings.PORTAIL_COULEUR),
        "a_son_logo": bool(settings.PORTAIL_LOGO),
    }


def lire_couleur(brut: str) -> str:
    """`#rrggbb`, legible on white; ValueError elsewhere."""
    if len(brut) != 7 or brut[0] != "#" or contraste(_rvb(brut), BLANC) < ASSEZ:
        raise ValueError
    return brut.lower()


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


def feuille(couleur: str) -> str:
    """The rules that put this colour on our pages; in the dark theme it is lightened until it can be read."""
    clair = _rvb(couleur)
    while contraste(clair, FOND_SOMBRE) < ASSEZ:
        clair = tuple(min(255, partie + 8) for partie in clair)  # type: ignore[assignment]
    sombre = f":root {{ --accent: #{bytes(clair).hex()}; --sur-accent: #10161d; }}"
    return f":root {{ --accent: {couleur}; --sur-accent: #fff; }}\n@media (prefers-color-scheme: dark) {{ {sombre} }}\n"


def contraste(une: Rvb, autre: Rvb) -> float:
    """From 1 to 21, as WCAG 2 defines it."""
    fort, faible = sorted((_luminance(une), _luminance(autre)), reverse=True)
    return (fort + 0.05) / (faible + 0.05)


def _rvb(couleur: str) -> Rvb:
    rouge, vert, bleu = bytes.fromhex(couleur[1:])
    return rouge, vert, bleu


def _luminance(couleur: Rvb) -> float:
    rouge, vert, bleu = (_lineaire(partie / 255) for partie in couleur)
    return 0.2126 * rouge + 0.7152 * vert + 0.0722 * bleu


def _lineaire(partie: float) -> float:
    return partie / 12.92 if partie <= 0.04045 else float(((partie + 0.055) / 1.055) ** 2.4)
