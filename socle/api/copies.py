"""HTTP caching: entity tags, If-None-Match, and fixed answers compressed once."""

import gzip
import hashlib
import re
from typing import Any, NamedTuple

from django.utils.http import parse_etags

PEU = "return=minimal"
_JAMAIS = re.compile(r"q=0(\.0*)?")


class Copie(NamedTuple):
    octets: bytes
    etag: str
    entetes: dict[str, str]


def etag_de(contenu: bytes) -> str:
    return f'"{hashlib.sha256(contenu).hexdigest()[:32]}"'


def est_connue(request: Any, etag: str) -> bool:
    """Compare the tag, weakly, with If-None-Match: True means that the client has this copy, so answer 304."""
    connus = request.META.get("HTTP_IF_NONE_MATCH")
    return connus is not None and _nomme(connus, etag)


def est_attendue(request: Any, etag: str) -> bool:
    """Compare the tag with If-Match: True without that header, or where it names this state.

    Weakly, as proxies that compress an answer weaken its tag.
    """
    attendus = request.META.get("HTTP_IF_MATCH")
    return attendus is None or _nomme(attendus, etag)


def _nomme(entete: str, etag: str) -> bool:
    noms = parse_etags(entete)
    return "*" in noms or etag in [nom.removeprefix("W/") for nom in noms]


def veut_peu(request: Any) -> bool:
    """True where Prefer asks for no representation of what is changed."""
    preferences = request.META.get("HTTP_PREFER")
    return preferences is not None and PEU in [une.partition(";")[0].strip().lower() for une in preferences.split(",")]


def accepte_gzip(request: Any) -> bool:
    qualites = {}
    for codage in request.META.get("HTTP_ACCEPT_ENCODING", "").lower().split(","):
        nom, _separe, qualite = codage.partition(";")
        qualites[nom.strip()] = qualite.replace(" ", "")
    qualite = qualites.get("gzip", qualites.get("*"))
    return qualite is not None and not _JAMAIS.fullmatch(qualite)


def copies(contenu: bytes) -> dict[bool, Copie]:
    """Index by "gzip accepted": the content as it is (False) and compressed (True), each with its own ETag.

    For public content alone: compressed beside a secret, its length would leak the secret (BREACH).
    """
    comprime = gzip.compress(contenu, 9, mtime=0)
    return {
        False: Copie(contenu, etag_de(contenu), {}),
        True: Copie(comprime, etag_de(comprime), {"Content-Encoding": "gzip"}),
    }
