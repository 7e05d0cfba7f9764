"""What whoever opens an export sees: LibreOffice reads both kinds of file. Run apart: `make test-spreadsheet`."""

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from config.tests.outils import acteur_de
from resources.stockage import ouvrir
from signalements.services import changer_statut
from signalements.tests import fabriques as signalements
from stats.tests import fabriques
from stats.tests.test_ecriture import ENTETE, FORMULES, TEXTES

pytestmark = [pytest.mark.tableur, pytest.mark.django_db]
# Separators, quotes, UTF-8, from the first line, no format of columns, in French.
LECTURE_CSV = "CSV:{},34,76,1,,1036"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_BUREAU = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
ACCENTS = "Élève « poussé » ; œuvre, naïveté — 50 €"


class Feuille:
    """A sheet as LibreOffice understood it."""

    def __init__(self, chemin: Path) -> None:
        self._racine = ElementTree.parse(chemin).getroot()  # noqa: S314 -- written by the LibreOffice of this machine

    @property
    def formules(self) -> list[str]:
        return [c.get(f"{_TABLE}formula") for c in self._racine.iter() if c.get(f"{_TABLE}formula")]

    @property
    def lignes(self) -> list[dict[str, Any]]:
        """By header, each cell as `(kind, text)`."""
        rangs = [[_cellules(c) for c in ligne] for ligne in self._racine.iter(f"{_TABLE}table-row")]
        entetes, *lignes = [[cellule for groupe in rang for cellule in groupe] for rang in rangs]
        noms = [texte for _sorte, texte in entetes if texte]
        return [dict(zip(noms, ligne, strict=False)) for ligne in lignes if any(texte for _sorte, texte in ligne)]


def _cellules(cellule: Any) -> list[tuple[str, str]]:
    """A cell, as often as it is repeated; the empty end of a row is repeated a thousand times."""
    sorte = cellule.get(f"{_BUREAU}value-type") or ""
    repetee = int(cellule.get(f"{_TABLE}number-columns-repeated") or 1)
    return [(sorte, "\n".join("".join(p.itertext()) for p in cellule))] * min(repetee, len(ENTETE))


@pytest.fixture
def ouvrir_avec_libreoffice(tmp_path):
    """ouvrir_avec_libreoffice(path): what the program makes of this file."""
    soffice = shutil.which("soffice")
    assert soffice, "LibreOffice est absent (Debian : apt-get install libreoffice-calc-nogui)"

    def convertir(chemin: Path, separateurs: str = "59") -> Feuille:
        lecture = [f"--infilter={LECTURE_CSV.format(separateurs)}"] if chemin.suffix == ".csv" else []
        profil = f"-env:UserInstallation=file://{tmp_path / 'profil'}"
        commande = [soffice, profil, "--headless", *lecture, "--convert-to", "fods", "--outdir", str(tmp_path), chemin]
        subprocess.run(commande, check=True, capture_output=True, timeout=120)  # noqa: S603 -- its own path
        return Feuille(tmp_path / f"{chemin.stem}.fods")

    return convertir


@pytest.fixture
def dossiers(etudiante, gestionnaire):
    """Everything that could be misread, one report each; the oldest is resolved."""
    textes = [ACCENTS, "Deux\nlignes", *FORMULES, *filter(None, TEXTES)]
    tous = [signalements.signalement(acteur_de(etudiante), titre=t, lieu_incident=t) for t in textes]
    changer_statut(signalement=tous[0], statut="TRAITE", acteur=acteur_de(gestionnaire))
    signalements.mettre(tous[0], date_creation=datetime(2026, 3, 1, 8, tzinfo=UTC))
    return tous


@pytest.fixture(params=["csv", "xlsx"])
def feuille(request, dossiers, gestionnaire, ouvrir_avec_libreoffice, tmp_path):
    export = fabriques.export(gestionnaire, request.param)
    chemin = tmp_path / export.nom_fichier
    with ouvrir(export) as contenu:
        chemin.write_bytes(contenu.read())
    return ouvrir_avec_libreoffice(chemin)


def test_le_fichier_s_ouvre_avec_ses_accents_ses_lignes_et_sans_formule(feuille, dossiers):
    assert feuille.formules == []
    assert len(feuille.lignes) == len(dossiers)
    assert list(feuille.lignes[0]) == ENTETE
    assert [ligne["Référence"][1] for ligne in feuille.lignes][:-1] == [d.reference for d in reversed(dossiers[1:])]
    plus_ancien = feuille.lignes[-1]
    assert (plus_ancien["Titre"], plus_ancien["Statut"]) == (("string", ACCENTS), ("string", "Traité"))
    assert plus_ancien["Créé le"][0] == "date"
    assert plus_ancien["Délai de résolution (h)"][0] == "float"


@pytest.mark.parametrize("separateurs", ["44", "44/59/9", "9"])
def test_lu_avec_d_autres_separateurs_il_n_a_pas_de_formule_non_plus(
    etudiante, gestionnaire, ouvrir_avec_libreoffice, tmp_path, separateurs
):
    for titre in ("panne,=1+41", "tab\t=2+40", 'cri";=3+39', "deux\n=4+38", 'lien,=HYPERLINK("http://a","b")'):
        signalements.signalement(acteur_de(etudiante), titre=titre, lieu_incident=titre)
    chemin = tmp_path / "export.csv"
    with ouvrir(fabriques.export(gestionnaire, "csv")) as contenu:
        chemin.write_bytes(contenu.read())

    assert ouvrir_avec_libreoffice(chemin, separateurs).formules == []


def test_ce_test_verrait_une_formule(ouvrir_avec_libreoffice, tmp_path):
    chemin = tmp_path / "naif.csv"
    chemin.write_text("Titre;Lieu\r\n=1+1;Amphi\r\n", encoding="utf-8-sig")

    assert ouvrir_avec_libreoffice(chemin).formules == ["of:=1+1"]
