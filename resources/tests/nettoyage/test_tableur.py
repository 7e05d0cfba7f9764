"""What whoever opens a cleaned document sees: LibreOffice shows what it showed. Run apart: `make test-spreadsheet`."""

import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from resources.tests.nettoyage.documents import CORPS, PARTIES, RESULTAT, document
from resources.tests.nettoyage.fichiers import TEXTE

pytestmark = [pytest.mark.tableur, pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")]
A_PLAT = {"docx": "fodt", "odt": "fodt", "xlsx": "fods", "ods": "fods", "pptx": "fodp", "odp": "fodp"}
BUREAU = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXTE = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


@pytest.fixture
def montrer(tmp_path_factory: pytest.TempPathFactory):
    """montrer(octets, genre): the paragraphs and the number of pictures that LibreOffice finds in this document."""
    soffice, dossier = shutil.which("soffice"), tmp_path_factory.mktemp("libreoffice")
    assert soffice, "LibreOffice est absent (Debian : apt-get install libreoffice-{calc,writer,impress}-nogui)"

    def montrer(octets: bytes, genre: str) -> tuple[list[str], int]:
        recu, plat = dossier / f"document.{genre}", dossier / f"document.{A_PLAT[genre]}"
        recu.write_bytes(octets)
        plat.unlink(missing_ok=True)
        profil = f"-env:UserInstallation=file://{dossier / 'profil'}"
        commande = [soffice, profil, "--headless", "--convert-to", A_PLAT[genre], "--outdir", str(dossier), str(recu)]
        subprocess.run(commande, check=True, capture_output=True, timeout=120)  # noqa: S603 -- its own path
        corps = ElementTree.parse(plat).getroot().find(f"{BUREAU}body")  # noqa: S314 -- written by this LibreOffice
        assert corps is not None
        return [_montre(p) for p in corps.iter(f"{_TEXTE}p")], sum(1 for _ in corps.iter(f"{BUREAU}binary-data"))

    return montrer


def _montre(noeud: ElementTree.Element) -> str:
    """The text of a paragraph, without what is anchored in it."""
    morceaux = [noeud.text or ""]
    for enfant in noeud:
        ancre = enfant.tag == f"{BUREAU}annotation" or "drawing" in enfant.tag
        morceaux += ["" if ancre else _montre(enfant), enfant.tail or ""]
    return " ".join("".join(morceaux).split())


@pytest.mark.parametrize("genre", PARTIES)
def test_un_document_nettoye_montre_ce_qu_il_montrait(nettoye, montrer, genre):
    avant, images_avant = montrer(document(genre), genre)
    apres, images = montrer(nettoye(document(genre)), genre)

    assert any(CORPS in paragraphe for paragraphe in apres)
    assert (TEXTE in "".join(apres)) is False
    # A field that names a person or a path is text from now on: LibreOffice would have filled it with its own.
    champs = {n for n, paragraphe in enumerate(apres) if paragraphe in (RESULTAT, "Auteur 1:")}
    assert [p for n, p in enumerate(apres) if n not in champs] == [p for n, p in enumerate(avant) if n not in champs]
    assert images == images_avant
