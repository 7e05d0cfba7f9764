"""Text that people type and paste: the characters that show nothing, and the other ways to write the same thing."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

# Show nothing, or a blank: default-ignorable characters, fillers, the empty braille cell, variation selectors, tags.
_RIEN_A_VOIR = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufdd0-\ufdef\ufff0-\ufffc\ufffe\uffff\U00013430-\U00013442\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLES = re.compile(f"[{_RIEN_A_VOIR}]+")
_BLANCS = re.compile(f"[{_RIEN_A_VOIR}\\s]*")

_SAUTS = re.compile("[\r\n\t\u2028\u2029]+")
_INVERSIONS = re.compile("[\u202a-\u202e]+")  # embeddings and overrides, which isolates have replaced
_OUVRENT, _FIN_D_ISOLAT = "\u2066\u2067\u2068", "\u2069"
_ISOLATS = re.compile(f"[{_OUVRENT}{_FIN_D_ISOLAT}]")
MARQUES = 5  # on one letter: more than any script that is written puts there
_PILE = re.compile(f"[^\\x00-\u02ff\\w\\s]{{{MARQUES + 1},}}")  # combining marks are among what is no word


def est_invisible(caractere: str) -> bool:
    return _INVISIBLES.fullmatch(caractere) is not None


def sans_invisibles(texte: str) -> str:
    """Remove what shows nothing: zero-width and direction marks, fillers, soft hyphens, selectors, tags."""
    return texte if texte.isascii() else _INVISIBLES.sub("", texte)


def montre(texte: str) -> bool:
    """True where anything is seen: more than blanks, invisible characters and marks without a letter to stand on."""
    if texte.isascii():
        return bool(texte.strip())
    debut = _BLANCS.match(texte).end()  # type: ignore[union-attr]  # it matches everywhere
    reste = islice(texte, debut, None)
    return any(not (unicodedata.category(c)[0] == "M" or c.isspace() or est_invisible(c)) for c in reste)


def sur_une_ligne(texte: str) -> str:
    """For a title or a name: newlines and tabs are spaces, and nothing in it reverses or covers what stands beside."""
    if texte.isascii() and texte.isprintable():
        return texte.strip()
    texte = _INVERSIONS.sub("", _SAUTS.sub(" ", texte)).strip()
    return texte if texte.isascii() else _fermer_les_sens(_borner_les_marques(texte))


def en_paragraphes(texte: str) -> str:
    """For prose, which stays as it was written, and stands by itself: trimmed, with one kind of newline."""
    return texte.strip().replace("\r\n", "\n").replace("\r", "\n")


def _borner_les_marques(texte: str) -> str:
    """At most MARQUES combining marks on a letter: more cover the lines above and below."""
    return _PILE.sub(lambda pile: "".join(_sans_exces(pile[0])), texte)


def _sans_exces(pile: str) -> Iterator[str]:
    marques = 0
    for c in pile:
        if unicodedata.category(c)[0] == "M":
            marques += 1
        elif marques and not est_invisible(c):
            marques = 0
        if marques <= MARQUES:
            yield c


def _fermer_les_sens(ligne: str) -> str:
    """Close each isolate that is left open, drop each closing of none: what follows the text reads as ever."""
    if not _ISOLATS.search(ligne):
        return ligne
    ouverts, ecrits = 0, []
    for c in ligne:
        if c == _FIN_D_ISOLAT and not ouverts:
            continue
        ouverts += (c in _OUVRENT) - (c == _FIN_D_ISOLAT)
        ecrits.append(c)
    return "".join(ecrits) + _FIN_D_ISOLAT * ouverts


def en_chiffres(texte: str) -> str:
    """NFKC, without what shows nothing, each decimal digit of any script as one of 0-9."""
    if texte.isascii():
        return texte
    lisible = sans_invisibles(unicodedata.normalize("NFKC", sans_invisibles(texte)))
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in lisible)


def lire_code(saisi: str) -> str:
    """The letters and digits of a code that is copied by hand, in lower case, without what people put between them."""
    return "".join(c for c in en_chiffres(saisi) if c.isalnum()).lower()


def formes_tapees(secret: str) -> tuple[str, ...]:
    """The distinct forms among typed, NFC and NFD: keyboards do not agree on how to send an accent."""
    if secret.isascii():
        return (secret,)
    return tuple(dict.fromkeys([secret, *(unicodedata.normalize(forme, secret) for forme in ("NFC", "NFD"))]))
