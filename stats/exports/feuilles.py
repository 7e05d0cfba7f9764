"""CSV and XLSX writers, row by row in constant memory."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from stats.exports.cellules import neutraliser
from stats.vocabulaire import FormatExport

LIGNES_PAR_FEUILLE = 1_048_576
PREMIERE_ANNEE = 1900  # of the calendar of spreadsheets


class Feuille(Protocol):
    def ajouter(self, cellules: Sequence[Any]) -> None: ...


@contextmanager
def ouvrir_feuille(chemin: Path, format: str, colonnes: Sequence[tuple[str, int]]) -> Iterator[Feuille]:
    """Open a writer of this format with its header written; the file is whole once the block ends without an error."""
    with (_classeur if format == FormatExport.XLSX else _texte)(chemin, colonnes) as tableau:
        yield tableau


# --- CSV ---------------------------------------------------------------------------------------------------------


class _Csv:
    def __init__(self, fichier: Any) -> None:
        # The dialect of a spreadsheet set to French. All cells quoted: read with another separator, none comes apart.
        self._lignes = csv.writer(fichier, delimiter=";", lineterminator="\r\n", quoting=csv.QUOTE_ALL)

    def ajouter(self, cellules: Sequence[Any]) -> None:
        self._lignes.writerow([_en_texte(cellule) for cellule in cellules])


@contextmanager
def _texte(chemin: Path, colonnes: Sequence[tuple[str, int]]) -> Iterator[Feuille]:
    with chemin.open("w", encoding="utf-8-sig", newline="") as fichier:
        tableau = _Csv(fichier)
        tableau.ajouter([entete for entete, _largeur in colonnes])
        yield tableau


def _en_texte(cellule: Any) -> str:
    if isinstance(cellule, str):
        # Each line is escaped: read with another separator, each begins a row.
        premiere, *autres = neutraliser(cellule).split("\n")
        return "\n".join([premiere, *map(neutraliser, autres)])
    if cellule is None:
        return ""
    if isinstance(cellule, datetime):
        return cellule.isoformat(" ", "minutes")
    return str(cellule).replace(".", ",")


# --- XLSX --------------------------------------------------------------------------------------------------------


class _Xlsx:
    """XLSX writer that opens another sheet when one is full."""

    def __init__(self, classeur: Any, colonnes: Sequence[tuple[str, int]]) -> None:
        self._classeur = classeur
        self._colonnes = colonnes
        self._entete = classeur.add_format({"bold": True})
        self._date = classeur.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        self._ouvrir_une_feuille()

    def ajouter(self, cellules: Sequence[Any]) -> None:
        if self._rang == LIGNES_PAR_FEUILLE:
            self._ouvrir_une_feuille()
        for colonne, cellule in enumerate(cellules):
            self._ecrire(colonne, cellule)
        self._rang += 1

    def _ouvrir_une_feuille(self) -> None:
        self._feuille = self._classeur.add_worksheet()
        self._feuille.freeze_panes(1, 0)
        for colonne, (entete, largeur) in enumerate(self._colonnes):
            self._feuille.set_column(colonne, colonne, largeur)
            self._feuille.write_string(0, colonne, entete, self._entete)
        self._rang = 1

    def _ecrire(self, colonne: int, cellule: Any) -> None:
        if isinstance(cellule, str):
            self._feuille.write_string(self._rang, colonne, cellule)
        elif isinstance(cellule, datetime):
            if cellule.year < PREMIERE_ANNEE:
                self._feuille.write_string(self._rang, colonne, cellule.isoformat(" ", "minutes"))
            else:
                self._feuille.write_datetime(self._rang, colonne, cellule, self._date)
        elif cellule is not None:
            self._feuille.write_number(self._rang, colonne, cellule)


@contextmanager
def _classeur(chemin: Path, colonnes: Sequence[tuple[str, int]]) -> Iterator[Feuille]:
    options = {
        "constant_memory": True,
        "tmpdir": str(chemin.parent),
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "use_zip64": True,
    }
    classeur = xlsxwriter.Workbook(str(chemin), options)
    yield _Xlsx(classeur, colonnes)
    try:
        classeur.close()
    except FileCreateError as panne:
        raise OSError("disque") from panne
