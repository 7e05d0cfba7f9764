"""Uploads made to break something: each ends well, quickly, in little memory, and leaves nothing."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from resources.nettoyage.genres import NETTOYES, REFUSES
from resources.nettoyage.processus import _chemins
from resources.tests.nettoyage.fichiers import heic, jpeg, pdf, png, webp
from resources.tests.nettoyage.films import film, film_fragmente
from resources.tests.nettoyage.hostiles import HOSTILES, NETTOYE, REFUSE, TEL_QUEL

pytestmark = [pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO"), pytest.mark.longue]
# Outside of the tests' own process, whose size would be taken for that of its children.
MESUREUR = """
import json, resource, sys
sys.path = sys.argv.pop(1).split("\\n")
from pathlib import Path
from resources.nettoyage.processus import Limites, nettoyer
passees = 0
for ligne in sys.stdin:
    source, destination, limites = json.loads(ligne)
    resultat = nettoyer(Path(source), Path(destination), limites=Limites(**limites))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    secondes = usage.ru_utime + usage.ru_stime
    issue = [resultat.genre, resultat.motif, resultat.metadonnees_retirees, usage.ru_maxrss * 1024, secondes - passees]
    passees = secondes
    print(json.dumps(issue), flush=True)
"""
MEMOIRE = 400 << 20  # what the greediest of them takes

Mesure = Callable[[Path, Path, dict[str, int]], tuple[str, str | None, bool, int, float]]


@pytest.fixture(scope="module")
def mesurer() -> Iterator[Mesure]:
    commande = [sys.executable, "-c", MESUREUR, _chemins()]
    with subprocess.Popen(commande, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as mesureur:  # noqa: S603 - our own interpreter
        assert mesureur.stdin is not None
        assert mesureur.stdout is not None

        def mesurer(
            source: Path, destination: Path, limites: dict[str, int]
        ) -> tuple[str, str | None, bool, int, float]:
            mesureur.stdin.write(json.dumps([str(source), str(destination), limites]) + "\n")
            mesureur.stdin.flush()
            return tuple(json.loads(mesureur.stdout.readline()))

        yield mesurer
        mesureur.stdin.close()


@pytest.mark.parametrize("nom", HOSTILES)
def test_un_envoi_hostile_finit_bien(mesurer, tmp_path, nom):
    hostile = HOSTILES[nom]
    source, destination = tmp_path / "photo.jpg", tmp_path / "propre"
    source.write_bytes(hostile.faire())
    # A slow machine would give up, as it should, before it has found what else there is to say.
    limites = {"cpu": 1 if hostile.motif == "trop_long" else 20, "duree": 60}

    genre, motif, retirees, memoire, secondes = mesurer(source, destination, limites)

    assert secondes < limites["cpu"] + 1
    assert memoire < MEMOIRE
    assert (motif, retirees) == (hostile.motif if hostile.issue == REFUSE else None, hostile.issue == NETTOYE)
    assert (genre in NETTOYES) == (hostile.issue != TEL_QUEL)
    assert {chemin.name for chemin in tmp_path.iterdir()} == {"photo.jpg"} | ({"propre"} if motif is None else set())
    if hostile.issue == NETTOYE:
        assert b"charge" not in destination.read_bytes()


def test_il_y_en_a_assez():
    assert len(HOSTILES) >= 40


ENTIERS = {
    "jpeg": jpeg,
    "png": png,
    "webp": webp,
    "heic": heic,
    "pdf": pdf,
    "mp4": film,
    "mp4 fragmenté": film_fragmente,
}


@pytest.mark.parametrize("nom", ENTIERS)
def test_un_fichier_coupe_n_importe_ou_est_refuse_ou_propre(passer, nom):
    entier = ENTIERS[nom]()
    longueurs = {*range(0, 40, 9), *range(40, len(entier), len(entier) // 5), len(entier) - 1}

    for longueur in sorted(longueurs):
        resultat, propre = passer(entier[:longueur])
        if propre is None:
            assert resultat.motif == "illisible"
        elif resultat.genre in NETTOYES:
            assert b"LIEU" not in propre
        else:
            assert longueur < 40  # too little to say what it was


def test_les_genres_que_rien_ne_nettoie_sont_refuses_par_leur_nom(passer):
    debuts = {
        "image/avif": b"\0\0\0\x18ftypavif\0\0\0\0mif1avif",
        "image/x-canon-cr3": b"\0\0\0\x18ftypcrx \0\0\0\1crx isom",
        "image/tiff": b"MM\0*\0\0\0\x08",
        "image/x-canon-cr2": b"II*\0\x10\0\0\0CR\2\0",
        "image/x-nikon-nef": b"MM\0*\0\0\0\x08" + b"NIKON CORPORATION",
        "image/x-sony-arw": b"II*\0\x08\0\0\0SONY \0",
        "image/x-adobe-dng": b"II*\0\x08\0\0\0\1\0\x12\xc6\1\0\4\0\0\0\1\4\0\0",
        "image/x-pentax-pef": b"MM\0*\0\0\0\x08PENTAX",
        "image/x-panasonic-rw2": b"IIU\0\x18\0\0\0",
        "image/x-olympus-orf": b"IIRO\x08\0\0\0",
        "image/x-fuji-raf": b"FUJIFILMCCD-RAW 0201",
        "image/x-canon-crw": b"II\x1a\0\0\0HEAPCCDR",
        "image/x-sigma-x3f": b"FOVb\0\0\2\0",
        "image/x-minolta-mrw": b"\0MRM\0\0",
        "image/jxl": b"\0\0\0\x0cJXL \r\n\x87\n",
        "image/jp2": b"\0\0\0\x0cjP  \r\n\x87\n",
        "image/vnd.ms-photo": b"II\xbc\1",
        "image/vnd.adobe.photoshop": b"8BPS\0\1",
        "image/bpg": b"BPG\xfb\0",
    }

    for genre, octets in debuts.items():
        resultat, propre = passer(octets + bytes(100))
        assert (resultat.genre, resultat.motif, propre) == (genre, "genre_refuse", None)
    assert debuts.keys() == REFUSES
