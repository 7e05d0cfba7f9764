"""Watched words, found in a text by linear scans of its pieces, never by a regex that could run away."""

import unicodedata
from collections.abc import Iterable, Iterator, Set
from itertools import groupby

from socle.domaine.texte import normaliser


def forme(mot: str) -> str:
    """A word as it is compared: no accents, no case, letters and digits alone; a phrase keeps its single spaces."""
    paquets = _paquets(mot)
    if len(paquets) == 1:
        return "".join(paquets[0])
    return " ".join(morceau for paquet in paquets for morceau in paquet)


def contient(texte: str, formes: Set[str]) -> bool:
    """True when one of these stands there as a whole word or phrase.

    Also when its letters are parted by punctuation (« m.o-t »), or one by one by spaces (« m o t »); two words that
    only make a third when joined (« pu te ») do not count.
    """
    paquets = _paquets(texte)
    longueurs = sorted({len(f) for f in formes if " " not in f})
    tailles = {f.count(" ") + 1 for f in formes if " " in f}
    suites = [*paquets, *_lettres_isolees(paquets)]
    if any(_joint(suite, formes, longueurs) for suite in suites):
        return True
    morceaux = [morceau for paquet in paquets for morceau in paquet]
    return any(
        " ".join(morceaux[rang : rang + taille]) in formes
        for taille in tailles
        for rang in range(len(morceaux) - taille + 1)
    )


def _paquets(texte: str) -> list[list[str]]:
    """Split at spaces, then each run into pieces of letters and digits; zero-width characters are dropped."""
    visible = "".join(c for c in texte if unicodedata.category(c) != "Cf")
    decoupes = (list(_morceaux(paquet)) for paquet in normaliser(visible).split())
    return [morceaux for morceaux in decoupes if morceaux]


def _morceaux(paquet: str) -> Iterator[str]:
    for est_lisible, lettres in groupby(paquet, str.isalnum):
        if est_lisible:
            yield "".join(lettres)


def _lettres_isolees(paquets: Iterable[list[str]]) -> Iterator[list[str]]:
    """Each run of single letters that spaces part, as the pieces of one word."""
    suite: list[str] = []
    for paquet in paquets:
        if all(len(morceau) == 1 for morceau in paquet):
            suite += paquet
            continue
        if len(suite) > 1:
            yield suite
        suite = []
    if len(suite) > 1:
        yield suite


def _joint(morceaux: list[str], formes: Set[str], longueurs: list[int]) -> bool:
    """True where consecutive whole pieces, joined, are one of `formes`."""
    entier = "".join(morceaux)
    bords, position = [0], 0
    for morceau in morceaux:
        position += len(morceau)
        bords.append(position)
    fins = set(bords)
    return any(
        debut + longueur in fins and entier[debut : debut + longueur] in formes
        for debut in bords
        for longueur in longueurs
    )
