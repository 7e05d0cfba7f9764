"""Drawing programs of PDF (pages, forms, patterns, glyphs) and its tables of letters: their words, without comments.

Nothing shows a comment (`%` to the end of its line): producers write their name there, a path, a date. A `%` inside a
string or the bytes of an inline picture is no comment, so these are stepped over.
"""

import re

# All that holds no comment, flat strings among it, in one step: a page has thousands of strings.
_SANS = re.compile(rb"(?:[^%(I]|I(?!D))*+(?:\((?:[^()\\]|\\.)*+\)(?:[^%(I]|I(?!D))*+)*+", re.DOTALL)
_COMMENTAIRE = re.compile(rb"%[^\r\n]*+")
_IMAGE = re.compile(rb"(?<=[\0\t\n\x0c\r \])>}])ID[\0\t\n\x0c\r ]")
_PARENTHESES = re.compile(rb"[()]|\\.", re.DOTALL)
# `EI` ends a picture where text follows: by chance it is among its bytes too.
_FIN_D_IMAGE = re.compile(rb"[\0\t\n\x0c\r ]EI(?=[\0\t\n\x0c\r ]|$)(?=[\t\n\x0c\r -~]{0,12}(?:$|[\t\n\x0c\r -~]))")


def sans_commentaires(octets: bytes) -> bytes:
    """The same program; the same object where it holds no comment."""
    if b"%" not in octets:
        return octets
    gardes, depuis, position = [], 0, 0
    while (position := _apres(_SANS, octets, position)) < len(octets):
        if octets[position] == ord("%"):
            gardes += [octets[depuis:position], b" "]
            position = depuis = _apres(_COMMENTAIRE, octets, position)
        elif octets[position] == ord("("):
            position = _fin_de_chaine(octets, position + 1)
        elif image := _IMAGE.match(octets, position):
            fin = _FIN_D_IMAGE.search(octets, image.end() - 1)
            position = fin.end() if fin else len(octets)
        else:
            position += 1
    return b"".join([*gardes, octets[depuis:]]) if gardes else octets


def _apres(motif: re.Pattern[bytes], octets: bytes, position: int) -> int:
    trouve = motif.match(octets, position)
    return trouve.end() if trouve else position


def _fin_de_chaine(octets: bytes, position: int) -> int:
    ouvertes = 1
    while ouvertes and (trouve := _PARENTHESES.search(octets, position)):
        position = trouve.end()
        ouvertes += {b"(": 1, b")": -1}.get(trouve[0], 0)
    return len(octets) if ouvertes else position
