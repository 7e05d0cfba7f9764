"""Flame graph of the main thread: its stack read every millisecond, drawn as an SVG that stands alone."""

import signal
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from html import escape
from types import FrameType
from typing import Any

Pile = tuple[str, ...]

PAS_SECONDES = 0.001
LARGEUR, HAUTEUR, LETTRE = 1600, 17, 6.6  # of the image, a row and a letter, in pixels
MINCE = 0.6  # a narrower frame is not drawn
LE_NOTRE, D_AUTRUI = "#f0a35e", "#d3d9e0"


def relever(acte: Callable[[], Any]) -> Counter[Pile]:
    """Run the act; count the stacks seen by the wall clock, waits for the database included, outermost call first."""
    piles: Counter[Pile] = Counter()

    def noter(_signal: int, cadre: FrameType | None) -> None:
        piles[tuple(_noms(cadre))[::-1]] += 1

    ancien = signal.signal(signal.SIGALRM, noter)
    signal.setitimer(signal.ITIMER_REAL, PAS_SECONDES, PAS_SECONDES)
    try:
        acte()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, ancien)
    return piles


def _noms(cadre: FrameType | None) -> Iterator[str]:
    """Name the frames from the innermost one, up to the act."""
    while cadre is not None and cadre.f_code is not relever.__code__:
        yield f"{cadre.f_globals.get('__name__', '?')}.{cadre.f_code.co_qualname}"
        cadre = cadre.f_back


def dessiner(piles: Counter[Pile], *, titre: str, notres: Collection[str]) -> str:
    """Width: share of the samples; a row a call, callers above; the modules of the packages `notres` stand out."""
    total = piles.total()
    largeurs = Counter({pile[:rang]: 0 for pile in piles for rang in range(len(pile) + 1)})
    for pile, fois in piles.items():
        largeurs.update({pile[:rang]: fois for rang in range(len(pile) + 1)})
    debuts: dict[Pile, float] = {(): 0.0}
    fins: dict[Pile, float] = {}
    cadres = []
    for pile in sorted(largeurs):  # a call stands before what it calls
        largeur = largeurs[pile] / total * LARGEUR
        if pile:
            debuts[pile] = fins.get(pile[:-1], debuts[pile[:-1]])
            fins[pile[:-1]] = debuts[pile] + largeur
        if pile and largeur >= MINCE:
            cadres.append(_cadre(pile, debuts[pile], largeur, largeurs[pile] / total, notres))
    hauteur = (max(map(len, largeurs)) + 2) * HAUTEUR
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LARGEUR}" height="{hauteur}" font-family="monospace" '
        f'font-size="11"><text x="4" y="12">{escape(titre)} : {total} relevés</text>\n'
        + "\n".join(cadres)
        + "\n</svg>\n"
    )


def _cadre(pile: Pile, debut: float, largeur: float, part: float, notres: Collection[str]) -> str:
    nom, y = pile[-1], len(pile) * HAUTEUR
    couleur = LE_NOTRE if nom.partition(".")[0] in notres else D_AUTRUI
    visible = nom.split(".", max(0, nom.count(".") - 1))[-1][: int(largeur / LETTRE)]
    return (
        f'<g><title>{escape(nom)} : {part:.1%}</title><rect x="{debut:.1f}" y="{y}" width="{largeur:.1f}" '
        f'height="{HAUTEUR - 1}" fill="{couleur}"/><text x="{debut + 2:.1f}" y="{y + 12}">{escape(visible)}</text></g>'
    )
