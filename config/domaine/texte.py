"""Text as people type it: comparison forms and the masking of secrets pasted into it."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any
from uuid import UUID

# Looked for at every position: one may be glued to letters that are hexadecimal digits too.
_UUID_DANS_UN_TEXTE = re.compile(
    r"(?=([0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}))"
)
IDENTIFIANT_MASQUE = "[identifiant masqué]"


def normaliser(texte: str) -> str:
    """Search form: lower case, no accents, single spaces ("Sécurité  A" -> "securite a")."""
    # Both ways twice: decomposing can bring forth capitals, and folding letters that decompose.
    for _passage in range(2):
        texte = unicodedata.normalize("NFKD", texte).casefold()
    return " ".join("".join(c for c in texte if not unicodedata.combining(c)).split())


def unifier(texte: str) -> str:
    """The same words typed by two people: one Unicode form, lower case, single spaces."""
    for _passage in range(2):
        texte = unicodedata.normalize("NFKC", texte).casefold()
    return " ".join(unicodedata.normalize("NFKC", texte).split())


def sans_ponctuation(texte: str) -> str:
    """`unifier` without punctuation; a text that is nothing else keeps it."""
    uni = unifier(texte)
    nu = " ".join("".join(" " if unicodedata.category(c).startswith("P") else c for c in uni).split())
    return nu or uni


def condenser(*parties: Any) -> UUID:
    """128 bits of SHA-256 over JSON values: equal values, equal digests."""
    return UUID(bytes=hashlib.sha256(json.dumps(parties).encode()).digest()[:16])


def identifiants_dans(texte: str) -> set[UUID]:
    """Every UUID that the text may hold, however it is written."""
    return {UUID(trouve.group(1)) for trouve in _UUID_DANS_UN_TEXTE.finditer(texte)} if len(texte) >= 32 else set()


def masquer_identifiants(texte: str, est_secret: Callable[[UUID], bool]) -> str:
    """Replace every UUID, however written, for which `est_secret` says yes."""
    if len(texte) < 32:
        return texte
    morceaux, fin = [], 0
    for trouve in _UUID_DANS_UN_TEXTE.finditer(texte):
        if trouve.start() >= fin and est_secret(UUID(trouve.group(1))):
            morceaux += [texte[fin : trouve.start()], IDENTIFIANT_MASQUE]
            fin = trouve.end(1)
    return "".join([*morceaux, texte[fin:]])


def masquer_partout(valeur: Any, est_secret: Callable[[UUID], bool]) -> Any:
    """The same for every string inside a rendered structure."""
    if isinstance(valeur, str):
        return masquer_identifiants(valeur, est_secret)
    if isinstance(valeur, dict):
        return {cle: masquer_partout(v, est_secret) for cle, v in valeur.items()}
    if isinstance(valeur, list):
        return [masquer_partout(v, est_secret) for v in valeur]
    return valeur
