"""Frozen copies of functions for data migrations, whose results must not change with today's functions."""

import hashlib
import json
import unicodedata
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


def normaliser(texte: str) -> str:
    for _passage in range(2):
        texte = unicodedata.normalize("NFKD", texte).casefold()
    return " ".join("".join(c for c in texte if not unicodedata.combining(c)).split())


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
