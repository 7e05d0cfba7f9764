"""Our texts as the code writes them: `socle/tests/test_typographie.py` alone is about how they are printed."""

_ORDINAIRES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2019": "'"})


def ordinaire(texte: str) -> str:
    """The text with ordinary spaces and apostrophes, « 1 mars » for « 1er mars »."""
    return texte.translate(_ORDINAIRES).replace("1er ", "1 ")
