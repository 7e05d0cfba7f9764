"""A few candidates read in what people paste to come back: six words of one list, an application's id, a reference.

Whole receipts, headings, numbers, bullets: what stands in a row is likelier than what merely follows. A candidate is
a guess, so there are few, and only of neighbours: a page that tried any six words of a text would be an oracle.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby, islice
from uuid import UUID

from portail import mots
from portail.vocabulaire import MOTS_DU_CODE
from signalements.vocabulaire import reference_dans

LU_MAX = 20_000  # characters: a receipt, and what was copied around it
CANDIDATS_MAX = 8
TITRE_MAX = 3  # words of the list in a heading
MOT_MAX = 40  # characters: of a longer one no neighbour is sought
_MOT = re.compile(r"[^\W\d_]+")
# « 1. », « 1) », « 1er mot : », « 2ème : », « 3 mot : »; « word » is of the list, and a label where its number says so.
_MOT_DIT = r"[\W_]{0,6}(?:mot|word)(?![^\W_])"
_ORDINAL = r"(?:er|[eè]?re|[eè](?:me)?|nde?|de|st|rd|th|o)(?![^\W_])"
_NUMEROTE = re.compile(
    rf"(?<![^\W_])([1-9])(?:{_ORDINAL}(?:{_MOT_DIT})?|{_MOT_DIT}(?=\s*[:=-]))?[\W_]{{0,6}}([^\W\d_]+)", re.IGNORECASE
)
_GUEST_ID = re.compile(r"(?<![0-9a-f])([0-9a-f]{8}(?:[-\s]{0,3}[0-9a-f]{4}){3}[-\s]{0,3}[0-9a-f]{12})(?![0-9a-f])")
# One that a line, or whoever read it out, has cut within a group.
_GUEST_ID_COUPE = re.compile(
    r"(?<![^\W_])([0-9a-f](?:\s{0,4}[0-9a-f]){7}(?:[-\s]{0,4}[0-9a-f](?:\s{0,4}[0-9a-f]){3}){3}"
    r"[-\s]{0,4}[0-9a-f](?:\s{0,4}[0-9a-f]){11})(?![^\W_])"
)
_TIRETS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\uff0d"), "-")


def composer(texte: str) -> str:
    """A text composed as some keyboards do not, without the characters that do not show."""
    compose = unicodedata.normalize("NFKC", texte).translate(_TIRETS)
    return compose if compose.isascii() else "".join(c for c in compose if unicodedata.category(c) != "Cf")


def propre(texte: str) -> str:
    return composer(texte[:LU_MAX])


def formes(texte: str) -> list[str]:
    """The words of a text that is `propre`, in lower case, without accents."""
    return [mots.simplifier(forme) for forme in _MOT.findall(texte)]


def guest_id(texte: str) -> UUID | None:
    """The id that an application gave, in braces, quotes or a sentence, with dashes of any kind or none, or cut."""
    lu = propre(texte).lower()
    trouve = _GUEST_ID.search(lu) or _GUEST_ID_COUPE.search(lu)
    return UUID("".join(re.findall(r"[0-9a-f]", trouve[1]))) if trouve else None


def reference(texte: str) -> str:
    """The reference of a case in its usual form, whatever its writing here; "" for none. Nobody looks for the case."""
    return reference_dans(texte[:LU_MAX]) or ""


def candidats(texte: str) -> list[list[str]]:
    """At most CANDIDATS_MAX times six neighbouring words that one list knows, the likelier first."""
    lu = propre(texte)
    siennes = formes(lu)
    suites = (siennes[debut : debut + MOTS_DU_CODE] for debut in _les_derniers_d_abord(debuts(siennes)))
    sources = (_numerotes(lu), _annonces(lu), _en_lignes(lu), suites)
    proposes = (tuple(six) for source in sources for six in source if sont_connus(six))
    return [list(six) for six in islice(dict.fromkeys(proposes), CANDIDATS_MAX)]


def mots_tapes(texte: str) -> tuple[int, list[str]]:
    """Count the words, and pick the six that were meant as a code where there are six, numbered or alone."""
    lu = propre(texte)
    siennes = formes(lu)
    if len(siennes) == MOTS_DU_CODE:
        return MOTS_DU_CODE, siennes
    return len(siennes), next(_numerotes(lu, de_la_liste=False), [])


def debuts(siennes: list[str]) -> list[int]:
    """Positions at which six forms in a row are all words of one list."""
    trouves = set()
    for langue in mots.LISTES:
        suite = 0
        for rang, forme in enumerate(siennes):
            suite = suite + 1 if mots.reconnaitre(forme, langue) else 0
            if suite >= MOTS_DU_CODE:
                trouves.add(rang - MOTS_DU_CODE + 1)
    return sorted(trouves)


def _les_derniers_d_abord(places: list[int]) -> Iterator[int]:
    """Of a few places in a row the last first: a word or two before the six, « Code », may be of the list as well."""
    for _ecart, suite in groupby(enumerate(places), key=lambda rang_et_place: rang_et_place[1] - rang_et_place[0]):
        lieux = [place for _rang, place in suite]
        yield from lieux[::-1] if len(lieux) <= TITRE_MAX + 1 else lieux


def sont_connus(six: list[str]) -> bool:
    return any(all(mots.reconnaitre(forme, langue) for forme in six) for langue in mots.LISTES)


def _numerotes(lu: str, *, de_la_liste: bool = True) -> Iterator[list[str]]:
    """Six words in a row that are numbered from one to six, in that order or in that of two columns."""
    marques = [(int(numero), mots.simplifier(mot)) for numero, mot in _NUMEROTE.findall(lu)]
    if de_la_liste:
        marques = [(n, forme) for n, forme in marques if any(mots.reconnaitre(forme, une) for une in mots.LISTES)]
    for debut in range(len(marques) - MOTS_DU_CODE + 1):
        six = sorted(marques[debut : debut + MOTS_DU_CODE])
        if [numero for numero, _forme in six] == list(range(1, MOTS_DU_CODE + 1)):
            yield [forme for _numero, forme in six]


def _annonces(lu: str) -> Iterator[list[str]]:
    """Six words alone after a colon, to the end of their line."""
    for ligne in lu.splitlines():
        siennes = formes(ligne.rpartition(":")[2]) if ":" in ligne else []
        if len(siennes) == MOTS_DU_CODE:
            yield siennes


def _en_lignes(lu: str) -> Iterator[list[str]]:
    """Lines of six words, as « Copier » gives them, then six lines in a row of one word, as a selection does."""
    lignes = [siennes for ligne in lu.splitlines() if (siennes := formes(ligne))]
    yield from (ligne for ligne in lignes if len(ligne) == MOTS_DU_CODE)
    for debut in range(len(lignes) - MOTS_DU_CODE + 1):
        six = lignes[debut : debut + MOTS_DU_CODE]
        if all(len(ligne) == 1 for ligne in six):
            yield [ligne[0] for ligne in six]
