import re
from collections.abc import Mapping
from typing import NamedTuple

MODELES_MAX = 200
ORIENTATIONS_MAX = 100
TITRE_MAX = 120
MODELE_MAX = 5_000  # characters of one language
ORIENTATION_MAX = 3_000
ORDRE_MAX = 9_999
PAS = 10  # between two places, so that a text can be put between them
AUTOMATIQUE = "AUTOMATIQUE"  # `type` of an acknowledgement, where messages have theirs
# What a text is filled with, between braces.
VARIABLES = ("reference", "echeance", "service")
_ENTRE_ACCOLADES = re.compile(r"\{\s*\w+\s*\}")
_CONNUES = tuple(f"{{{nom}}}" for nom in VARIABLES)


class Dit(NamedTuple):
    """A text, and the language that it is in."""

    texte: str
    langue: str


def variables_inconnues(texte: str) -> list[str]:
    """The words between braces that are no variable of ours, each once: `{echeance}`, `{ reference }`."""
    ecrites = dict.fromkeys(_ENTRE_ACCOLADES.findall(texte))
    return [une for une in ecrites if une not in _CONNUES]


def remplir(texte: str, valeurs: Mapping[str, str]) -> str:
    """Replace each variable by its value, in one pass; what a value holds is text, and any other brace stays.

    A line with a variable whose value is "" is left out: there is nothing to say there.
    """
    vides = tuple(f"{{{nom}}}" for nom, valeur in valeurs.items() if not valeur)
    lignes = [ligne for ligne in texte.split("\n") if not any(vide in ligne for vide in vides)]
    return _ENTRE_ACCOLADES.sub(lambda trouve: valeurs.get(trouve[0][1:-1], trouve[0]), "\n".join(lignes))
