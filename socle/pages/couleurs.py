"""Ten colours of a campus, by theme, from its own one: lightness is searched in OKLCH until each contrast holds.

Hue and, as far as sRGB allows, chroma are kept. OKLCH and its matrices: Björn Ottosson, « A perceptual color space for
image processing », 2020. Contrasts: WCAG 2.2.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

# Behind our texts: fond, carte, creux of commun.css, by theme.
FONDS_CLAIRS = ("#fbfaf7", "#ffffff", "#f3f1ec")
FONDS_SOMBRES = ("#14171a", "#1c2024", "#23282d")
# What the frame of a mail takes from there besides.
NEUTRES_CLAIRS = {
    "fond": FONDS_CLAIRS[2],
    "carte": FONDS_CLAIRS[1],
    "encre": "#22262a",
    "doux": "#575b60",
    "trait": "#e2ded5",
}
NEUTRES_SOMBRES = {
    "fond": FONDS_SOMBRES[0],
    "carte": FONDS_SOMBRES[1],
    "encre": "#ecebe7",
    "doux": "#b5b7b6",
    "trait": "#343a40",
}
DE_LA_MAISON = "#175c66"
BLANC, NOIR = "#ffffff", "#000000"
TEXTE, BORD = 4.5, 3.1  # contrasts: of a text with what is behind it (AA), of an edge
_PAS = 0.005  # of lightness
Jetons = dict[str, str]


class Oklch(NamedTuple):
    clarte: float  # 0 to 1
    chroma: float
    teinte: float  # radians


def feuille(couleur: str) -> str:
    """The rules that put the family of this `#rrggbb` on our pages, in both themes."""
    clair, sombre = (" ".join(f"--{nom}: {valeur};" for nom, valeur in jetons.items()) for jetons in famille(couleur))
    a_l_ecran = f"@media screen {{ :root {{ {clair} }} }}\n"  # paper keeps its ink
    return f"{a_l_ecran}@media screen and (prefers-color-scheme: dark) {{ :root {{ {sombre} }} }}\n"


def famille(couleur: str) -> tuple[Jetons, Jetons]:
    """The ten names in the light theme, then in the dark.

    What is filled keeps the colour where white can be read on it; what is read or outlined moves until it can be.
    """
    donnee = _oklch(couleur)
    return _claire(couleur, donnee), _sombre(donnee)


def ecrites(couleur: str) -> tuple[Jetons, Jetons]:
    """Colours of a mail, which asks for no sheet, by theme: neutrals, and the brand of this colour or of the house."""
    claire, sombre = famille(couleur or DE_LA_MAISON)
    return NEUTRES_CLAIRS | _marque(claire), NEUTRES_SOMBRES | _marque(sombre)


def _marque(jetons: Jetons) -> Jetons:
    return {"accent": jetons["accent"], "sur_accent": jetons["sur-accent"]}


def _claire(couleur: str, donnee: Oklch) -> Jetons:
    vif, h = min(donnee.chroma, 0.16), donnee.teinte
    voile = _rvb(0.955, min(donnee.chroma, 0.018), h)
    derriere = (*FONDS_CLAIRS, voile)
    lisible = contraste(couleur, BLANC) >= TEXTE
    accent = couleur if lisible else _chercher(Oklch(donnee.clarte, vif, h), (BLANC,), 4.6, -_PAS)
    return {
        "accent": accent,
        "accent-fort": _rvb(_oklch(accent).clarte - 0.08, vif, h),
        "sur-accent": BLANC,
        "lien": _chercher(Oklch(min(donnee.clarte, 0.5), vif, h), derriere, 5.5, -_PAS),
        "voile": voile,
        "bord-accent": _chercher(Oklch(0.75, vif, h), derriere, BORD, -_PAS),
        "decor": _rvb(0.87, min(donnee.chroma, 0.05), h),
        "rail": _rvb(0.285, min(donnee.chroma, 0.045), h),
        "rail-haut": _rvb(0.37, min(donnee.chroma, 0.06), h),
        "sur-rail": BLANC,
    }


def _sombre(donnee: Oklch) -> Jetons:
    h, doux = donnee.teinte, min(donnee.chroma, 0.11)
    voile = _rvb(0.28, min(donnee.chroma, 0.035), h)
    derriere = (*FONDS_SOMBRES, voile)
    accent = _chercher(Oklch(0.6, doux, h), derriere, 6.5, _PAS)
    return {
        "accent": accent,
        "accent-fort": _rvb(_oklch(accent).clarte + 0.07, doux, h),
        "sur-accent": _rvb(0.2, min(donnee.chroma, 0.03), h),
        "lien": accent,
        "voile": voile,
        "bord-accent": _chercher(Oklch(0.4, min(donnee.chroma, 0.09), h), derriere, 3.2, _PAS),
        "decor": _rvb(0.4, min(donnee.chroma, 0.05), h),
        "rail": _rvb(0.2, min(donnee.chroma, 0.02), h),
        "rail-haut": _rvb(0.3, min(donnee.chroma, 0.04), h),
        "sur-rail": BLANC,
    }


def _chercher(depart: Oklch, fonds: Iterable[str], assez: float, pas: float) -> str:
    """The first lightness from the start, by this step, that contrasts enough with every background."""
    clarte = depart.clarte
    while 0 < clarte < 1:
        essai = _rvb(clarte, depart.chroma, depart.teinte)
        if all(contraste(essai, fond) >= assez for fond in fonds):
            return essai
        clarte += pas
    return NOIR if pas < 0 else BLANC


def contraste(une: str, autre: str) -> float:
    """Contrast of two `#rrggbb`, from 1 to 21, as WCAG 2 defines it; ValueError for what is no colour."""
    fort, faible = sorted((_luminance(une), _luminance(autre)), reverse=True)
    return (fort + 0.05) / (faible + 0.05)


def _luminance(couleur: str) -> float:
    rouge, vert, bleu = _lineaires(couleur)
    return 0.2126 * rouge + 0.7152 * vert + 0.0722 * bleu


def _lineaires(couleur: str) -> list[float]:
    parties = (octet / 255 for octet in bytes.fromhex(couleur[1:]))
    return [partie / 12.92 if partie <= 0.04045 else ((partie + 0.055) / 1.055) ** 2.4 for partie in parties]


def _oklch(couleur: str) -> Oklch:
    rouge, vert, bleu = _lineaires(couleur)
    long = (0.4122214708 * rouge + 0.5363325363 * vert + 0.0514459929 * bleu) ** (1 / 3)
    moyen = (0.2119034982 * rouge + 0.6806995451 * vert + 0.1073969566 * bleu) ** (1 / 3)
    court = (0.0883024619 * rouge + 0.2817188376 * vert + 0.6299787005 * bleu) ** (1 / 3)
    clarte = 0.2104542553 * long + 0.793617785 * moyen - 0.0040720468 * court
    a = 1.9779984951 * long - 2.428592205 * moyen + 0.4505937099 * court
    b = 0.0259040371 * long + 0.7827717662 * moyen - 0.808675766 * court
    return Oklch(clarte, math.hypot(a, b), math.atan2(b, a))


def _rvb(clarte: float, chroma: float, teinte: float) -> str:
    """Format as `#rrggbb`; chroma goes down until the colour exists in sRGB."""
    while True:
        parties = _vers_srgb(clarte, chroma, teinte)
        if chroma < 0.002 or all(-0.0005 <= partie <= 1.0005 for partie in parties):
            return f"#{bytes(_octet(min(max(partie, 0), 1)) for partie in parties).hex()}"
        chroma -= 0.004


def _vers_srgb(clarte: float, chroma: float, teinte: float) -> tuple[float, float, float]:
    """Linear red, green, blue; outside 0..1 where sRGB lacks the colour."""
    a, b = chroma * math.cos(teinte), chroma * math.sin(teinte)
    long = (clarte + 0.3963377774 * a + 0.2158037573 * b) ** 3
    moyen = (clarte - 0.1055613458 * a - 0.0638541728 * b) ** 3
    court = (clarte - 0.0894841775 * a - 1.291485548 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * moyen + 0.2309699292 * court,
        -1.2684380046 * long + 2.6097574011 * moyen - 0.3413193965 * court,
        -0.0041960863 * long - 0.7034186147 * moyen + 1.707614701 * court,
    )


def _octet(lineaire: float) -> int:
    return round(255 * (12.92 * lineaire if lineaire <= 0.0031308 else 1.055 * lineaire ** (1 / 2.4) - 0.055))
