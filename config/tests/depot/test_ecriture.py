"""First sentences of docstrings: each names a thing or an act, not a clause that a reader must first unfold."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.tests.outils.arbres import arbres

_RELATIFS = "what|who|whom|whose|which|how|where|when|why|whether|(?:what|who|whom|which|how|where|when)(?:so)?ever"
_AVANT = "about|after|as|at|before|by|for|from|in|into|like|of|on|once|since|then|to|until|with"
_SUJET = re.compile(rf"[«“\"`(\s]*(?:(?:(?:{_AVANT})\s+)?(?:{_RELATIFS})|that|those)\b", re.IGNORECASE)


def commence_par_une_relative(texte: str) -> bool:
    """True where the first words open a relative or interrogative clause, or a pronoun that waits for one."""
    return _SUJET.match(texte) is not None


def premieres_phrases(arbre: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each docstring of a module: its own, those of its classes and functions."""
    for noeud in ast.walk(arbre):
        if isinstance(noeud, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            dit := ast.get_docstring(noeud)
        ):
            yield noeud.body[0].lineno, dit.partition("\n")[0]


def test_aucune_docstring_ne_commence_par_une_relative():
    refusees = [
        f"{chemin}:{ligne}: {phrase}"
        for chemin, arbre in arbres().items()
        if "migrations" not in Path(chemin).parts  # as written on their day
        for ligne, phrase in premieres_phrases(arbre)
        if commence_par_une_relative(phrase)
    ]

    assert refusees == []


@pytest.mark.parametrize(
    "phrase",
    [
        "What a body says, read as DRF reads it.",
        "Who of the team may read a reserved case.",
        "Those that hold unread messages.",
        "That of the running loop.",
        "Whoever holds the device is never offered it.",
        "However the operator wrote the domains.",
        "Where it ends the case, JamaisLus.",
        "For whom serializers render.",
        "Since when this person is of the team.",
        "« Which » story the draft tells.",
    ],
)
def test_une_relative_est_reconnue(phrase):
    assert commence_par_une_relative(phrase)
    arbre = ast.parse(f'class A:\n    def f(self):\n        """{phrase}\n\n        Then."""')
    assert [*premieres_phrases(arbre)] == [(3, phrase)]


@pytest.mark.parametrize(
    "phrase",
    [
        "Read a body as DRF does.",
        "Readers of a reserved case in the team.",
        "True where a search finds others.",
        "Of those rows, the first.",
        "Whole text.",
    ],
)
def test_un_nom_ou_un_verbe_est_admis(phrase):
    assert not commence_par_une_relative(phrase)
