"""Writing of an export to a temporary folder, then to the store; nothing of it stays after a failure."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

from accounts.models import Preferences
from resources.stockage import pannes_dites, ranger
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.langue import en_francais
from socle.taches.reprise import exiger_la_suite
from stats.exports.colonnes import Redaction, colonnes
from stats.exports.feuilles import ouvrir_feuille
from stats.exports.selection import LOT, lecture, lire, patienter, signalements_a_exporter, valeurs_partagees
from stats.exports.temporaires import dossier_temporaire
from stats.models import Export
from stats.vocabulaire import DOSSIER

# (rows written, rows in all) -> None
Progres = Callable[[int, int], None]


@dataclass(frozen=True)
class Ecrit:
    """A stored file, with the arguments of `Export.devenir_pret`."""

    seau: str
    cle: str
    lignes: int
    taille: int

    def en_colonnes(self) -> dict[str, Any]:
        return asdict(self)


def ecrire(export: Export, *, suivre: Progres | None = None) -> Ecrit:
    """Write and store the file of an export, in constant memory; `suivre` gets its progress and allows slow reads."""
    with pannes_dites(), dossier_temporaire() as dossier:
        chemin = dossier / f"export.{export.format}"
        with en_francais():
            lignes = _remplir(chemin, export, suivre)
        taille = chemin.stat().st_size
        with _Lecture(FileIO(chemin)) as contenu:
            seau, cle = ranger(contenu, dossier=DOSSIER)
        return Ecrit(seau=seau, cle=cle, lignes=lignes, taille=taille)


class _Lecture(BufferedReader):
    """Reader with a cancellation point in each piece: TacheInterrompue once the worker is told to stop."""

    def read(self, size: int | None = -1, /) -> bytes:
        exiger_la_suite()
        return super().read(size)


def _remplir(chemin: Path, export: Export, suivre: Progres | None) -> int:
    """Write the rows, return their number. The read transaction ends before the workbook is put together."""
    signalements = signalements_a_exporter(ActeurCompte(compte=export.compte), export.filtres)
    entetes = colonnes(Preferences.langue_de(export.compte) or "fr")
    with ouvrir_feuille(chemin, export.format, entetes) as tableau, lecture():
        if suivre:
            patienter()
        total = signalements.order_by().count() if suivre else 0
        redaction = Redaction(export.compte_id, valeurs_partagees(signalements))
        rang = 0
        for rang, ligne in enumerate(lire(signalements), start=1):
            tableau.ajouter(redaction.cellules(ligne))
            if suivre and rang % LOT == 0:
                exiger_la_suite()
                suivre(rang, total)
    return rang
