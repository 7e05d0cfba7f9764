"""Guest ids in texts: found however they are written, cut or pasted, and masked."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from socle.domaine.saisie import est_invisible

# Version 4, as guest ids are; a look-ahead, to match at every position, since hexadecimal letters may be glued to one.
_IDENTIFIANT = re.compile(r"(?=([0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}))")
# Where one could be: no letter that is not hexadecimal comes between its digits, but anything else may.
_SUITE = re.compile(r"[^g-zG-Z]{16,}")
_CHIFFRE = re.compile(r"\d")
_HEXADECIMAUX = frozenset("0123456789abcdef")
_ETIRENT = frozenset("\u0640\u30fc")  # Arabic's and Japanese's, which pass for dashes
_RIEN, _ARRET = "-", "."  # what people put between two digits; what no id holds
CARACTERES_RETENUS = 4_096
IDENTIFIANT_MASQUE = "[identifiant masqué]"


class _Table(dict[int, str]):
    """For `str.translate`: hexadecimal digits in ASCII, `_RIEN`, or `_ARRET`; each character worked out once."""

    def __missing__(self, code: int) -> str:
        lu = _sens(chr(code))
        if len(self) < CARACTERES_RETENUS:
            self[code] = lu
        return lu


_TABLE = _Table()


def _sens(caractere: str) -> str:
    if est_invisible(caractere):
        return _RIEN
    chiffre = unicodedata.decimal(caractere, None)
    forme = unicodedata.normalize("NFKC", caractere).lower() if chiffre is None else str(chiffre)
    if forme and _HEXADECIMAUX.issuperset(forme):  # « ﬀ », as a PDF gives « ff », is two
        return forme
    return _ARRET if forme.isalnum() and caractere not in _ETIRENT else _RIEN


class _Lecture(NamedTuple):
    """The hexadecimal digits of a stretch of text, and the place of each in the text."""

    chiffres: str
    places: list[int]


def _lectures(texte: str) -> Iterator[_Lecture]:
    """Of each stretch where an id could be; of a plain text none, at the cost of a look for a digit 4."""
    if "4" not in texte and (texte.isascii() or not _CHIFFRE.search(texte)):
        return
    for suite in _SUITE.finditer(texte):
        lu = suite[0].translate(_TABLE)
        chiffres = lu.replace(_RIEN, "")
        if _IDENTIFIANT.search(chiffres):
            lettres = ((rang, signe) for rang, c in enumerate(suite[0], suite.start()) for signe in _TABLE[ord(c)])
            yield _Lecture(chiffres, [rang for rang, signe in lettres if signe != _RIEN])


def identifiants_dans(valeur: Any, *, au_plus: int) -> set[str] | None:
    """The 32 digits of each version 4 UUID in the strings of a structure; None past `au_plus` matches."""
    lectures = chain.from_iterable(map(_lectures, _textes(valeur)))
    lieux = (trouve[1] for lu in lectures for trouve in _IDENTIFIANT.finditer(lu.chiffres))
    trouves = list(islice(lieux, au_plus + 1))
    return None if len(trouves) > au_plus else set(trouves)


def masquer_identifiants(valeur: Any, identifiants: Collection[str] | None) -> Any:
    """Mask these UUIDs in the strings of a structure; for None, mask every one that is there."""
    return _partout(valeur, partial(_masquer, identifiants=identifiants))


def _masquer(texte: str, identifiants: Collection[str] | None) -> str:
    """Replace each match by the mask; of overlapping ones no digit is left, as a rest could be completed by trying."""
    morceaux, fin = [], 0
    for debut, apres in _a_masquer(texte, identifiants):
        if debut >= fin:
            morceaux += [texte[fin:debut], IDENTIFIANT_MASQUE]
        fin = apres
    return "".join([*morceaux, texte[fin:]])


def _a_masquer(texte: str, identifiants: Collection[str] | None) -> Iterator[tuple[int, int]]:
    for lu in _lectures(texte):
        for trouve in _IDENTIFIANT.finditer(lu.chiffres):
            if identifiants is None or trouve[1] in identifiants:
                yield lu.places[trouve.start()], lu.places[trouve.start() + 31] + 1


def _partout(valeur: Any, fonction: Callable[[str], str]) -> Any:
    if isinstance(valeur, str):
        return fonction(valeur)
    if isinstance(valeur, dict):
        return {fonction(cle): _partout(contenu, fonction) for cle, contenu in valeur.items()}
    return [_partout(element, fonction) for element in valeur] if isinstance(valeur, list) else valeur


def _textes(valeur: Any) -> Iterator[str]:
    """Every string of a structure, keys too, in no order."""
    restent = [valeur]
    while restent:
        element = restent.pop()
        if isinstance(element, str):
            yield element
        elif isinstance(element, dict):
            restent += [*element, *element.values()]
        elif isinstance(element, list):
            restent += element
