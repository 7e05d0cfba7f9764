"""Formulas of Excel that lead to an address, to another program or to a connection: their values stay, they are gone.

A cell keeps what it showed. A name, a rule or a table has no value of its own: its formula becomes one that leads
nowhere, which Excel itself writes when what a formula names is deleted; so cells that use such a name are frozen too.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from resources.nettoyage import balises

_FORMULES = re.compile(
    rb"<(?:[^\s/>:!?]+:)?(f|formula[12]?|calculatedColumnFormula|totalsRowFormula|definedName)(?=[\s/>])%b>"
    rb"(?:(?<=/>)|([^<]*)</[^>]*>)" % balises.ATTRIBUTS
)
_CELLULE = re.compile(rb"<(?:[^\s/>:!?]+:)?c(?=[\s>])%b>\s*" % balises.ATTRIBUTS)
_PARTAGEE = re.compile(rb"\ssi\s*=\s*[\"'](\d+)")
_NOM = re.compile(rb"\sname\s*=\s*(\"[^\"]*\"|'[^']*')")
_DYNAMIQUE = re.compile(rb"\scm\s*=\s*(?:\"[^\"]*\"|'[^']*')")
# Columns of a table, texts, names of sheets.
_LITTERAUX = re.compile(
    r"(?<=[\w.])\[(?:'.|\[(?:'.|[^'\[\]])*+\]|[^'\[\]])*+\]|\"[^\"]*+(?:\"\"[^\"]*+)*+\"|'[^']*+(?:''[^']*+)*+'",
    re.DOTALL,
)
_FONCTIONS = (
    *("WEBSERVICE", "IMAGE", "RTD", "DDE", "CALL", r"REGISTER\.ID", r"SQL\.REQUEST", "CUBEVALUE", "CUBEMEMBER"),
    *("CUBEMEMBERPROPERTY", "CUBERANKEDMEMBER", "CUBESET", "CUBESETCOUNT", "CUBEKPIMEMBER"),
)
# A call, or the function itself given to another; outside of quotes, `|` stands between a program and its subject.
_APPEL = re.compile(
    r"(?<![\w.])(?:_xl\w+\.)*(?:%s)\s*\(|(?<![\w.])_xleta\.(?:%s)(?![\w.])|\|" % (("|".join(_FONCTIONS),) * 2), re.I
)
_LIEN = re.compile(r"\[(\d{1,5})\]!")
_IDENTIFIANT = re.compile(r"[^\W\d][\w.\\?]*|\\[\w.\\?]*")
# Without one of these, nor a reference that may hide it, a part is left without a look at its formulas.
_INDICES = (*(nom.replace("\\", "").encode() for nom in _FONCTIONS), b"|", b"&#")
_INDICE = re.compile(b"|".join(map(re.escape, _INDICES)))
_NULLE_PART = b"#REF!"


class _Formule(NamedTuple):
    """Formula of a part, with the place where it lies."""

    element: bytes
    attributs: bytes
    texte: bytes
    lieu: tuple[int, int]
    lieu_du_texte: tuple[int, int]

    @property
    def partagee(self) -> bytes | None:
        trouve = _PARTAGEE.search(self.attributs)
        return trouve[1] if trouve else None


class Formules:
    """Formulas of a workbook, which comes before its sheets: it says what their names stand for."""

    def __init__(self) -> None:
        self.programmes: frozenset[int] = frozenset()  # numbers of the links that lead to a program
        self._noms: frozenset[str] = frozenset()

    def figer(self, octets: bytes) -> bytes:
        """Well-formed text without comments or CDATA, as `balises.recrire` leaves it."""
        majuscules = octets.upper()
        if not (self._noms or self.programmes or any(indice in majuscules for indice in _INDICES)):
            return octets
        if b"definedName" in octets:
            self._apprendre([une for une in _lire(octets) if une.element == b"definedName"])
        figees, suivantes = [], []
        for une in _lire(octets):
            if self._mene_ailleurs(une.texte):
                figees.append(une)
            elif not une.texte and une.partagee:
                suivantes.append(une)
        partagees = {une.partagee for une in figees}
        figees += [une for une in suivantes if une.partagee in partagees]
        return balises.remplacer(octets, [coupe for une in figees for coupe in _coupes(octets, une)])

    def _apprendre(self, definis: list[_Formule]) -> None:
        """Names of what leads elsewhere, and of what uses these names."""
        reste = [(_nom(une), une.texte) for une in definis]
        while nouveaux := {nom for nom, texte in reste if self._mene_ailleurs(texte)} - self._noms:
            self._noms |= nouveaux

    def _mene_ailleurs(self, texte: bytes) -> bool:
        if not (self._noms or self.programmes or _INDICE.search(texte.upper())):
            return False
        dit = _LITTERAUX.sub("''", balises.en_clair(texte).decode("utf-8", "replace"))
        return bool(
            _APPEL.search(dit)
            or (self.programmes and not self.programmes.isdisjoint(map(int, _LIEN.findall(dit))))
            or (self._noms and not self._noms.isdisjoint(nom.casefold() for nom in _IDENTIFIANT.findall(dit)))
        )


def _lire(octets: bytes) -> Iterator[_Formule]:
    for trouve in _FORMULES.finditer(octets):
        yield _Formule(trouve[1], trouve[2], trouve[3] or b"", trouve.span(), trouve.span(3))


def _nom(definie: _Formule) -> str:
    trouve = _NOM.search(definie.attributs)
    return balises.en_clair(trouve[1][1:-1]).decode("utf-8", "replace").casefold() if trouve else ""


def _coupes(octets: bytes, formule: _Formule) -> list[tuple[int, int, bytes]]:
    if formule.element == b"calculatedColumnFormula":
        return [(*formule.lieu, b"")]
    place = octets.rfind(b"<", 0, formule.lieu[0])
    cellule = _CELLULE.fullmatch(octets, place, formule.lieu[0]) if formule.element == b"f" and place >= 0 else None
    if cellule is None:
        return [(*formule.lieu_du_texte, _NULLE_PART)] if formule.texte else []
    # A cell without a formula is no dynamic array.
    dynamiques = [(*attribut.span(), b"") for attribut in _DYNAMIQUE.finditer(octets, *cellule.span())]
    return [*dynamiques, (*formule.lieu, b"")]
