"""Frozen copies of functions for data migrations, whose results must not change with today's functions."""

import hashlib
import json
import re
import unicodedata
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


def normaliser(texte: str) -> str:
    for _passage in range(2):
        texte = unicodedata.normalize("NFKD", texte).casefold()
    return " ".join("".join(c for c in texte if not unicodedata.combining(c)).split())


def indexable(*textes: str) -> str:
    texte = " ".join(textes)
    for _passage in range(2):
        texte = unicodedata.normalize("NFKD", texte).casefold()
    return " ".join(texte.translate({ord(c): _simple(c) for c in set(texte)}).split())


_LETTRES: dict[str, str] = dict(
    zip("ıȷðŋəǝɛɔʊœæþɩɣʉɵʒʃɑʌɯĸȣꜩꝏ", (*"ijdneeeou", "oe", "ae", "th", *"iguozsavuk", "ou", "tz", "oo"), strict=True)
)
_SIGNES = frozenset("'`‘’‚‛ʻʼʽʹʾʿˈ′‵ꞌ՚׳" + '"“”„‟«»‹›ʺ˝〝〞〟״' + "−⁃˗\u2800·‧•➖❛❜❝❞")
_VIDES = frozenset("\u0640\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\ufff0\ufff8")


def _simple(lettre: str) -> str:
    nom, categorie = unicodedata.name(lettre, ""), unicodedata.category(lettre)
    if lettre in _LETTRES:
        return _LETTRES[lettre]
    if barree := re.match("LATIN SMALL LETTER ([A-Z]) WITH ", nom):
        return barree[1].lower()
    if lettre in _SIGNES or categorie in ("Pd", "Cc"):
        return " "
    if categorie in ("Cf", "Me") or lettre in _VIDES or unicodedata.combining(lettre):
        return ""
    if nom.startswith(("VARIATION SELECTOR", "COMBINING")):
        return ""
    return str(unicodedata.decimal(lettre)) if categorie == "Nd" else lettre


def unifier(texte: str) -> str:
    for _passage in range(2):
        texte = unicodedata.normalize("NFKC", texte).casefold()
    return " ".join(unicodedata.normalize("NFKC", texte).split())


def sans_ponctuation(texte: str) -> str:
    uni = unifier(texte)
    nu = " ".join("".join(" " if unicodedata.category(c).startswith("P") else c for c in uni).split())
    return nu or uni


def condenser(*parties: Any) -> UUID:
    return UUID(bytes=hashlib.sha256(json.dumps(parties).encode()).digest()[:16])


def horodatage(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
