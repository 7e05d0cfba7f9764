"""Text as people type it: comparison forms and the masking of secrets pasted into it."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any
from uuid import UUID

_UUID_DANS_UN_TEXTE = re.compile(
    r"(?<![0-9a-zA-Z])[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}(?![0-9a-zA-Z])"
)
IDENTIFIANT_MASQUE = "[identifiant masqué]"


def normaliser(texte: str) -> str:
    """Search form: lower case, no accents, single spaces ("Sécurité  A" -> "securite a")."""
    # Both ways twice: decomposing can bring forth capitals, and folding letters that decompose.
    for _passage in range(2):
        texte = unicodedata.normalize("NFKD", texte).casefold()
    return " ".join("".join(c for c in texte if not unicodedata.combining(c)).split())


def masquer_identifiants(texte: str, est_secret: Callable[[UUID], bool]) -> str:
    """Replace every UUID, however written, for which `est_secret` says yes."""
    if len(texte) < 32:
        return texte

    def remplacer(trouve: re.Match[str]) -> str:
        return IDENTIFIANT_MASQUE if est_secret(UUID(trouve.group())) else trouve.group()

    return _UUID_DANS_UN_TEXTE.sub(remplacer, texte)


def masquer_partout(valeur: Any, est_secret: Callable[[UUID], bool]) -> Any:
    """The same for every string inside a rendered structure."""
    if isinstance(valeur, str):
        return masquer_identifiants(valeur, est_secret)
    if isinstance(valeur, dict):
        return {cle: masquer_partout(v, est_secret) for cle, v in valeur.items()}
    if isinstance(valeur, list):
        return [masquer_partout(v, est_secret) for v in valeur]
    return valeur
