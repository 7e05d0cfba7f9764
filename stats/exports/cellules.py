"""Escaping of cells against formula injection: a spreadsheet shows them as text."""

import re
import unicodedata

_NOMBRE = re.compile(r"[+-]\d+(?:[.,]\d+)?")


def neutraliser(texte: str) -> str:
    """Prefix an apostrophe where a spreadsheet could take the text for a formula; a plain number stays."""
    if not texte or texte[0].isalnum() or not _se_lance(texte) or _NOMBRE.fullmatch(texte):
        return texte
    return f"'{texte}"


def _se_lance(texte: str) -> bool:
    if texte[0] in "\t\r\n":
        return True
    # Blanks of any kind, visible or not, before the sign do not stop a spreadsheet.
    premier = next((c for c in texte if unicodedata.category(c)[0] not in "ZC"), "")
    return unicodedata.normalize("NFKC", premier) in ("=", "+", "-", "@", "\N{MINUS SIGN}")
