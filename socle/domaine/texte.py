"""Text as people type it: comparison forms and the masking of secrets pasted into it."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from itertools import filterfalse
from typing import Any
from uuid import UUID

_PONCTUATION = {ord(c): " " for c in map(chr, range(128)) if unicodedata.category(c).startswith("P")}
_ACCENTS = re.compile("[\u0300-\u034e\u0350-\u036f]+")  # combining marks, those of Latin letters among them


def mot_lisible(mot: str, connus: Mapping[str, Any]) -> Any:
    """The word for a well-known value, lazy; another as it was written, without its underscores."""
    return connus.get(mot) or mot.replace("_", " ").capitalize()


def normaliser(texte: str) -> str:
    """Search form: lower case, no accents, single spaces ("Sécurité  A" -> "securite a")."""
    if texte.isascii():
        return " ".join(texte.lower().split())
    # Two passes: decomposing can bring forth capitals, and folding, letters that decompose.
    for _passage in range(2):
        texte = unicodedata.normalize("NFKD", texte).casefold()
    texte = _ACCENTS.sub("", texte)
    if not texte.isascii():  # accents of other scripts, if any
        texte = "".join(filterfalse(unicodedata.combining, texte))
    return " ".join(texte.split())


def unifier(texte: str) -> str:
    """Comparison form (NFKC, lower case, single spaces): equal for the same words typed by two people."""
    if texte.isascii():
        return " ".join(texte.lower().split())
    for _passage in range(2):
        texte = unicodedata.normalize("NFKC", texte).casefold()
    return " ".join(unicodedata.normalize("NFKC", texte).split())


def sans_ponctuation(texte: str) -> str:
    """`unifier` without punctuation; a text that is nothing else keeps it."""
    uni = unifier(texte)
    blancs = _PONCTUATION
    if not uni.isascii():
        blancs = blancs | {ord(c): " " for c in set(uni) if c > "\x7f" and unicodedata.category(c).startswith("P")}
    return " ".join(uni.translate(blancs).split()) or uni


def condenser(*parties: Any) -> UUID:
    """Digest of JSON values as a UUID: 128 bits of SHA-256; equal values have equal digests."""
    return UUID(bytes=hashlib.sha256(json.dumps(parties).encode()).digest()[:16])
