"""Reading an export back, as whoever receives the file does."""

import csv
import re
import zipfile
from datetime import datetime, timedelta
from io import BytesIO, StringIO
from typing import Any
from xml.etree import ElementTree

from config.tests.outils import ClientApi

EXPORT = "/api/v1/stats/signalements/export"
_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def telecharger(url: str) -> Any:
    """The answer that a browser without credentials gets."""
    return ClientApi().get(url.removeprefix("http://testserver"))


def octets(reponse: Any) -> bytes:
    assert reponse.status_code == 200, reponse.content
    return b"".join(reponse.streaming_content)


def lignes_csv(contenu: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(contenu.decode("utf-8-sig"), newline=""), delimiter=";", strict=True))


def exporter(client: Any, **corps: str) -> list[dict[str, str]]:
    """The rows of a CSV that is asked for and downloaded."""
    demande = client.post(EXPORT, corps)
    assert demande.status_code == 201, demande.content
    return lignes_csv(octets(telecharger(demande.json()["data"]["downloadUrl"])))


def references(lignes: list[dict[str, str]]) -> set[str]:
    return {ligne["Référence"] for ligne in lignes}


class Classeur:
    """An XLSX file, from its XML alone."""

    def __init__(self, contenu: bytes) -> None:
        self._zip = zipfile.ZipFile(BytesIO(contenu))
        noms = [nom for nom in self._zip.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", nom)]
        self._feuilles = [ElementTree.fromstring(self._zip.read(nom)) for nom in sorted(noms)]  # noqa: S314 -- ours

    @property
    def textes(self) -> str:
        return "".join(self._zip.read(nom).decode() for nom in self._zip.namelist())

    @property
    def formules(self) -> int:
        return sum(len(feuille.findall(f".//{_X}f")) for feuille in self._feuilles)

    @property
    def feuilles(self) -> list[list[dict[str, Any]]]:
        """Of each sheet its rows, by header: texts as str, numbers as float."""
        return [_lignes(feuille) for feuille in self._feuilles]

    @property
    def entete_figee(self) -> bool:
        return all(feuille.find(f".//{_X}pane[@state='frozen'][@ySplit='1']") is not None for feuille in self._feuilles)


def _lignes(feuille: Any) -> list[dict[str, Any]]:
    lignes = [[_valeur(cellule) for cellule in ligne] for ligne in feuille.iter(f"{_X}row")]
    colonnes = [[cellule.get("r") for cellule in ligne] for ligne in feuille.iter(f"{_X}row")]
    lettres = [re.sub(r"\d", "", adresse) for adresse in colonnes[0]]
    rendues = []
    for adresses, valeurs in zip(colonnes[1:], lignes[1:], strict=True):
        par_lettre = dict(zip((re.sub(r"\d", "", a) for a in adresses), valeurs, strict=True))
        rendues.append({entete: par_lettre.get(x) for x, entete in zip(lettres, lignes[0], strict=True)})
    return rendues


def _valeur(cellule: Any) -> Any:
    if cellule.get("t") == "inlineStr":
        return "".join(texte.text or "" for texte in cellule.iter(f"{_X}t"))
    valeur = cellule.find(f"{_X}v")
    return float(valeur.text) if valeur is not None else None


def en_date(nombre: float) -> datetime:
    """The date that a spreadsheet shows for this number."""
    return datetime(1899, 12, 30) + timedelta(minutes=round(nombre * 24 * 60))
