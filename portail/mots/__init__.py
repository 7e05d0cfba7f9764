"""The words of the way back: the lists of BIP-39, whose first four letters tell a word, read without accents.

Words that wound (violence, weapons, death, illness, insults, captivity, humiliation, the body) are drawn no more, and
read as ever: codes that hold them were given.
"""

import difflib
import unicodedata
from functools import cache
from pathlib import Path

LISTES = {"fr": "francais", "en": "anglais"}
LETTRES = 4


@cache
def liste(langue: str) -> tuple[str, ...]:
    """The 2 048 words of a language, as they are shown, all of which a code may hold."""
    return _lire(LISTES[langue])


@cache
def a_tirer(langue: str) -> tuple[str, ...]:
    """Words that a new code is drawn from: none that wounds."""
    retires = set(_lire(f"{LISTES[langue]}-retires"))
    return tuple(mot for mot in liste(langue) if mot not in retires)


def _lire(nom: str) -> tuple[str, ...]:
    return tuple((Path(__file__).parent / f"{nom}.txt").read_text(encoding="utf-8").split())


def simplifier(texte: str) -> str:
    """Lower case, without accents."""
    decompose = unicodedata.normalize("NFKD", texte.lower().replace("œ", "oe"))
    return "".join(lettre for lettre in decompose if not unicodedata.combining(lettre))


@cache
def _formes(langue: str) -> dict[str, str]:
    """Each form under which a word may be written, whole or by its first letters -> the word."""
    mots = {simplifier(mot): mot for mot in liste(langue)}
    return {forme[:LETTRES]: mot for forme, mot in mots.items() if len(forme) > LETTRES} | mots


def reconnaitre(forme: str, langue: str) -> str | None:
    """The word that was meant by this simplified form: the word, or letters that only this one begins with."""
    formes = _formes(langue)
    if forme in formes:
        return formes[forme]
    mot = formes.get(forme[:LETTRES]) if len(forme) > LETTRES else None
    return mot if mot is not None and simplifier(mot).startswith(forme) else None


def proche(forme: str, langue: str) -> str | None:
    """The word most like this one, for who has misread a letter."""
    proches = difflib.get_close_matches(forme, [simplifier(mot) for mot in liste(langue)], n=1, cutoff=0.6)
    return reconnaitre(proches[0], langue) if proches else None
