"""Text as people type it: comparison forms and the masking of secrets pasted into it."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import filterfalse, islice
from typing import Any
from uuid import UUID

import orjson

# Version 4, as guest ids are; a look-ahead, to match at every position, since hexadecimal letters may be glued to one.
_UUID_DANS_UN_TEXTE = re.compile(
    r"(?=([0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?4[0-9a-fA-F]{3}-?[89abAB][0-9a-fA-F]{3}-?[0-9a-fA-F]{12}))"
)
_SUITE_DE_CHIFFRES = re.compile(r"[0-9a-fA-F-]{32,}")  # every match of the other is inside one
_PONCTUATION = {ord(c): " " for c in map(chr, range(128)) if unicodedata.category(c).startswith("P")}
_ACCENTS = re.compile("[\u0300-\u034e\u0350-\u036f]+")  # combining marks, those of Latin letters among them
IDENTIFIANT_MASQUE = "[identifiant masqué]"


def uuid_en_texte(cle: UUID | str) -> str:
    """`str(cle)`, without the Python of `UUID.__str__`: answers are full of ids."""
    return orjson.dumps(cle)[1:-1].decode() if cle.__class__ is UUID else str(cle)


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


def identifiants_dans(valeur: Any, *, au_plus: int) -> set[str] | None:
    """The 32 digits of each version 4 UUID in the strings of a structure; None past `au_plus` matches."""
    textes = [texte for texte in _textes(valeur) if _SUITE_DE_CHIFFRES.search(texte)]
    if not textes:
        return set()
    lieux = (trouve[1] for texte in textes for trouve in _UUID_DANS_UN_TEXTE.finditer(texte))
    trouves = list(islice(lieux, au_plus + 1))
    return None if len(trouves) > au_plus else set(map(_chiffres, trouves))


def masquer_identifiants(valeur: Any, identifiants: Collection[str] | None) -> Any:
    """Mask these UUIDs in the strings of a structure; for None, mask every run of digits that could hold one."""
    return _partout(valeur, partial(_masquer, identifiants=identifiants))


def _masquer(texte: str, identifiants: Collection[str] | None) -> str:
    """Replace each match by the mask; of overlapping ones no digit is left, as a rest could be completed by trying."""
    if identifiants is None:
        return _SUITE_DE_CHIFFRES.sub(IDENTIFIANT_MASQUE, texte)
    morceaux, fin = [], 0
    for trouve in _UUID_DANS_UN_TEXTE.finditer(texte):
        if _chiffres(trouve[1]) in identifiants:
            if trouve.start() >= fin:
                morceaux += [texte[fin : trouve.start()], IDENTIFIANT_MASQUE]
            fin = trouve.end(1)
    return "".join([*morceaux, texte[fin:]])


def _chiffres(uuid: str) -> str:
    return uuid.replace("-", "").lower()


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
