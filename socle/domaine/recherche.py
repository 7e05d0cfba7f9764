"""Searched text and comparison of words: both the stored text and the question take one plain form.

The plain form is compared by `contains`, which a trigram index serves on PostgreSQL; SQLite scans its small tables.
"""

import re
import unicodedata
from functools import lru_cache, reduce
from operator import and_
from typing import Any

from django.db.models import Q

from socle.domaine.migrations import DesLInstallation

MOTS_MAX = 10  # terms compared; of more, the longest, which are the rarest
QUESTION_MAX = 200  # characters read
# Letters that Unicode does not decompose; those "with" a stroke, a hook or a bar are plainly named.
_LETTRES: dict[str, str] = dict(
    zip("ıȷðŋəǝɛɔʊœæþɩɣʉɵʒʃɑʌɯĸȣꜩꝏ", (*"ijdneeeou", "oe", "ae", "th", *"iguozsavuk", "ou", "tz", "oo"), strict=True)
)
_LETTRE_ET_SIGNE = re.compile("LATIN SMALL LETTER ([A-Z]) WITH ")
_SIGNES = frozenset("'`‘’‚‛ʻʼʽʹʾʿˈ′‵ꞌ՚׳" + '"“”„‟«»‹›ʺ˝〝〞〟״' + "−⁃˗\u2800·‧•➖❛❜❝❞")
# Letters in name, blank to the eye; the rest of what cannot be seen is of category Cf, or a combining mark.
_VIDES = frozenset("\u0640\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\ufff0\ufff8")
_ASCII = {ord(c): " " for c in map(chr, range(128)) if unicodedata.category(c) in ("Cc", "Pd") or c in _SIGNES}
_GUILLEMETS = str.maketrans(dict.fromkeys("“”„‟«»＂〝〞〟", '"'))
_TERMES = re.compile(r'"([^"]*)"|([^\s"]+)')
_BORDS = re.compile(r"^[\W_]+|[\W_]+$")


def indexable(*textes: str) -> str:
    """Plain form of texts for comparison ("L’Œuvre de Łukasz" -> "l oeuvre de lukasz"), the same applied twice.

    No case, accents, ligatures or invisible characters; apostrophes, dashes, quotes and controls are spaces.
    """
    texte = " ".join(textes)
    if texte.isascii():
        texte = texte.lower()
    else:
        # Two passes: decomposing can bring forth capitals, and folding, letters that decompose.
        for _passage in range(2):
            texte = unicodedata.normalize("NFKD", texte).casefold()
        texte = texte.translate({ord(c): simple(c) for c in set(texte) if c > "\x7f"})
    return " ".join(texte.translate(_ASCII).split())


@lru_cache(2_000)
def simple(lettre: str) -> str:
    """Of a letter that is decomposed and folded: a space for what parts words, nothing for what is not seen."""
    if lettre in _LETTRES:
        return _LETTRES[lettre]
    nom = unicodedata.name(lettre, "")
    if barree := _LETTRE_ET_SIGNE.match(nom):
        return barree[1].lower()
    categorie = unicodedata.category(lettre)
    if lettre in _SIGNES or categorie in ("Pd", "Cc"):
        return " "
    if categorie in ("Cf", "Me") or lettre in _VIDES or unicodedata.combining(lettre):
        return ""
    if nom.startswith(("VARIATION SELECTOR", "COMBINING")):
        return ""
    return str(unicodedata.decimal(lettre)) if categorie == "Nd" else lettre


def termes(question: str) -> list[str]:
    """Plain terms of a question, the longest first: words, and as one term what quotes hold.

    One that another contains says nothing more, and is left out; [] where nothing is asked.
    """
    trouves = _TERMES.findall(question[:QUESTION_MAX].translate(_GUILLEMETS))
    simples = {_BORDS.sub("", indexable(phrase or mot)) for phrase, mot in trouves}
    simples = simples - {""} or {indexable(question)} - {""}  # of punctuation alone
    retenus: list[str] = []
    for terme in sorted(simples, key=lambda un: (-len(un), un)):
        if not any(terme in retenu for retenu in retenus):
            retenus.append(terme)
    return retenus


def correspond(question: str, colonne: str) -> Q:
    """Condition: each term of the question, in any order, is in this indexed column.

    One column: PostgreSQL then finds the longer terms by its index alone, and reads no whole index for a short one.
    A question that is not empty but asks nothing (quotes, invisible characters) finds nothing.
    """
    cherches = termes(question)[:MOTS_MAX]
    if not cherches:
        return Q(pk__in=[]) if question.strip() else Q()
    return reduce(and_, (Q(**{f"{colonne}__contains": terme}) for terme in cherches))


def index_de_recherche(table: str, colonne: str = "recherche", *, retire: bool = False) -> DesLInstallation:
    """A migration operation: index this column of this table for `contains`; with `retire`, drop that index."""

    def creer(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            schema_editor.execute(f"CREATE INDEX {table}_{colonne} ON {table} USING gin ({colonne} gin_trgm_ops)")

    def retirer(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP INDEX IF EXISTS {table}_{colonne}")

    return DesLInstallation(retirer, creer) if retire else DesLInstallation(creer, retirer)
