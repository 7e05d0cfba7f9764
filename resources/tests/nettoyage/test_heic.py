"""HEIC: the picture of a phone comes out as a JPEG, as it was seen, and alone."""

import os
import resource
import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from resources.nettoyage import processus
from resources.nettoyage.processus import Motif
from resources.tests.nettoyage.fichiers import SECRET, dessin, heic

pytestmark = pytest.mark.longue


def ecart(image: Image.Image, autre: Image.Image) -> float:
    """How far they are from each other, of 255, on average."""
    return max(ImageStat.Stat(ImageChops.difference(image.convert("RGB"), autre.convert("RGB"))).mean)


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA"])
def test_une_photo_de_telephone_devient_un_jpeg(passer, mode):
    recue = heic(dessin(mode))
    assert SECRET in recue

    resultat, propre = passer(recue)

    assert (resultat.genre, resultat.motif, resultat.metadonnees_retirees) == ("image/jpeg", None, True)
    assert SECRET not in propre
    with Image.open(BytesIO(propre)) as image:
        assert (image.format, image.size, set(image.info) & {"exif", "xmp", "icc_profile"}) == ("JPEG", (96, 64), set())


def test_elle_est_tournee_comme_elle_etait_vue(nettoye):
    # What wrote it said in its container how to turn it, as phones do; the same number in EXIF does not turn it again.
    with Image.open(BytesIO(nettoye(heic(orientation=6)))) as image:
        assert image.size == (64, 96)
        assert ecart(image, dessin().transpose(Image.Transpose.ROTATE_90)) > 20
        assert ecart(image, dessin().transpose(Image.Transpose.ROTATE_270)) < 10


def test_ce_qui_transparait_est_blanc(nettoye):
    with Image.open(BytesIO(nettoye(heic(Image.new("RGBA", (64, 64), (0, 0, 0, 0)))))) as image:
        assert image.convert("RGB").getpixel((32, 32)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("limites", "motif"), [({"pixels": 1_000}, Motif.TROP_DE_PIXELS), ({"sortie": 500}, Motif.TROP_GROS)]
)
def test_ses_limites_sont_celles_des_autres(passer, limites, motif):
    assert passer(heic(), **limites)[0].motif == motif


def test_trop_de_memoire_est_un_refus(passer):
    assert passer(heic(taille=(4000, 4000)), memoire=160 << 20)[0].motif in (Motif.TROP_DE_MEMOIRE, Motif.ILLISIBLE)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may try what another user may do")
def test_un_utilisateur_ordinaire_la_convertit_aussi():
    """The decoder starts a thread, which the limit of processes refuses to anybody but root."""
    code = """
import os, sys
sys.path = sys.argv[1].split("\\n")
from resources.nettoyage import enfant, heic
from resources.nettoyage.bornes import Bornes
from PIL import JpegImagePlugin
octets = sys.stdin.buffer.read()
enfant._se_borner(768 << 20, 3, 1 << 20, seul=sys.argv[2] == "seul")
os.setgid(65534), os.setuid(65534)
print(heic.nettoyer(octets, Bornes(10_000, 1, 1))[:2].hex())
"""
    issues = {}
    for comment in ("seul", "avec un fil"):
        commande = [sys.executable, "-c", code, processus._chemins(), comment]
        issues[comment] = subprocess.run(commande, input=heic(), capture_output=True, check=False).stdout  # noqa: S603 - our own interpreter

    assert issues == {"seul": b"", "avec un fil": b"ffd8\n"}
    assert resource.getrlimit(resource.RLIMIT_NPROC)[0] != 0
