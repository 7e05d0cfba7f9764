"""Look-alike letters: a Cyrillic « а » for a Latin one, small capitals, squared letters, folded for comparison alone.

What only matches once folded is judged by a person: the letters may be somebody's own alphabet.
"""

import re
import unicodedata
from itertools import groupby

# Two rows: letters of other alphabets, and the Latin ones that they are taken for.
_PAIRES = (
    ("аеорсухкмтнвіјѕһԁԛԝӏьѵүӀ", "aeopcyxkmthbijshdqwlbvyl"),
    ("АЕОРСУХКМТНВІЈЅҺԀԚԜЬѴҮ", "AEOPCYXKMTHBIJSHDQWBVY"),
    ("αεορντυικχγηωσβϲϳζμ", "aeopvtuikxynwobcjzu"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC"),
    ("օսհոցզյՕՏԼ", "ouhngqjOSL"),
    ("ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHIJKLMPRSTVWZ"),
    ("ıɩɑɡʋłøđħŧɨƅƖ", "iiagvlodhtibl"),
)
_SOSIES = {ord(sosie): lettre for sosies, lettres in _PAIRES for sosie, lettre in zip(sosies, lettres, strict=True)}
_PAR_LEUR_NOM = re.compile(
    r"(?:LETTER SMALL CAPITAL|(?:NEGATIVE|CROSSED NEGATIVE) (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER"
    r"|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
_SANS_CORPS = ("Mn", "Mc", "Me", "Cf")  # marks, and what does not show: they part no word
# The alphabets whose letters pass for one another.
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE")


def replier(texte: str) -> str:
    """The text with each look-alike as the Latin letter it is taken for."""
    if texte.isascii():
        return texte
    decompose = unicodedata.normalize("NFKD", texte).translate(_SOSIES)
    return decompose if decompose.isascii() else "".join(map(_par_son_nom, decompose))


def melange(texte: str) -> bool:
    """True where one word has letters of two alphabets that pass for each other."""
    if texte.isascii():
        return False
    compose = "".join(c for c in unicodedata.normalize("NFC", texte) if unicodedata.category(c) not in _SANS_CORPS)
    mots = ("".join(lettres) for est_mot, lettres in groupby(compose, str.isalpha) if est_mot)
    return any(len(_alphabets(mot)) > 1 for mot in mots if not mot.isascii())


def _alphabets(mot: str) -> set[str]:
    return {nom for c in mot if (nom := unicodedata.name(c, "").partition(" ")[0]) in _ALPHABETS}


def _par_son_nom(lettre: str) -> str:
    if lettre.isascii():
        return lettre
    lue = _PAR_LEUR_NOM.fullmatch(unicodedata.name(lettre, "").removeprefix("LATIN "))
    return lue[1] if lue else lettre
