"""Photos and drawings: the same pixels come out, and nothing else."""

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageCms, ImageOps

from resources.nettoyage import couleurs
from resources.nettoyage.genres import reconnaitre
from resources.nettoyage.processus import Motif
from resources.tests.nettoyage.fichiers import SECRET, bloc_png, dessin, exif, images_animees, jpeg, png, segment, webp

pytestmark = [pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO"), pytest.mark.longue]
ANIMATION = {"save_all": True, "append_images": images_animees()[1:], "duration": 50, "loop": 2}


def ouvrir(octets: bytes) -> Image.Image:
    image = Image.open(BytesIO(octets))
    image.load()
    return image


def images_de(octets: bytes) -> list[bytes]:
    image = Image.open(BytesIO(octets))
    vues = []
    for rang in range(getattr(image, "n_frames", 1)):
        image.seek(rang)
        vues.append(image.convert("RGBA").tobytes())
    return vues


def ecart(une: Image.Image, autre: Image.Image) -> float:
    """The mean difference of two pictures, of 255."""
    octets, autres = une.tobytes(), autre.tobytes()
    return sum(abs(a - b) for a, b in zip(octets, autres, strict=True)) / len(octets)


def verifier_sans_trace(octets: bytes, genre: str) -> None:
    """A second look at the file, that shares no code with the cleaner."""
    image = ouvrir(octets)
    assert reconnaitre(octets) == genre
    assert not dict(image.getexif())
    assert image.info.keys() <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "adobe", "adobe_transform"} | {
        *("progressive", "progression", "transparency", "gamma", "srgb", "loop", "duration", "background"),
        *("timestamp", "default_image", "bbox", "blend", "disposal", "interlace"),
    }
    for trace in (SECRET, b"Exif", b"xpacket", b"ns.adobe.com", b"Photoshop", b"MPF\0", b"JFXX", b"ICC", b"iCCP"):
        assert trace not in octets
    for bloc in (b"tEXt", b"zTXt", b"iTXt", b"tIME", b"eXIf", b"pHYs", b"EXIF", b"XMP ", b"prVt", b"SECR"):
        assert bloc not in octets


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("RGB", {}),
        ("RGB", {"progressive": True}),
        ("RGB", {"subsampling": 0, "quality": 98}),
        ("RGB", {"restart_marker_blocks": 4}),
        ("L", {}),
        ("CMYK", {}),
        ("RGB", {"keep_rgb": True}),
    ],
)
def test_une_photo_garde_ses_pixels_et_rien_d_autre(nettoye, mode, options):
    recue = jpeg(dessin(mode), **options)

    propre = nettoye(recue)

    verifier_sans_trace(propre, "image/jpeg")
    assert ouvrir(propre).mode == mode
    assert ouvrir(propre).tobytes() == ouvrir(recue).tobytes()
    assert propre.endswith(b"\xff\xd9")
    assert ouvrir(propre).quantization == ouvrir(recue).quantization
    assert nettoye(propre) == propre


@pytest.mark.parametrize("orientation", range(2, 9))
@pytest.mark.parametrize(("mode", "options"), [("RGB", {}), ("RGB", {"subsampling": 1}), ("L", {}), ("CMYK", {})])
def test_une_photo_tournee_est_redressee(nettoye, orientation, mode, options):
    recue = jpeg(dessin(mode), orientation=orientation, **options)

    propre = nettoye(recue)

    verifier_sans_trace(propre, "image/jpeg")
    attendue, redressee = ImageOps.exif_transpose(ouvrir(recue)), ouvrir(propre)
    assert redressee.size == attendue.size
    assert ecart(redressee, attendue) < 1


@pytest.mark.parametrize(
    "mode", ["RGB", "RGBA", "L", "LA", "P", "1", "I;16"], ids=["rgb", "rgba", "l", "la", "p", "1", "i16"]
)
@pytest.mark.parametrize("orientation", [1, 6])
def test_un_dessin_png_garde_ses_pixels(nettoye, mode, orientation):
    image = dessin("RGB").quantize(40) if mode == "P" else dessin("L" if mode == "I;16" else mode)
    image = image.convert("I;16") if mode == "I;16" else image
    recu = png(image, orientation)

    propre = nettoye(recu)

    verifier_sans_trace(propre, "image/png")
    assert ouvrir(propre).mode == ouvrir(recu).mode
    assert ouvrir(propre).tobytes() == ImageOps.exif_transpose(ouvrir(recu)).tobytes()


def test_une_palette_garde_sa_transparence(nettoye):
    recu = png(dessin("RGB").quantize(40), transparency=3)

    assert images_de(nettoye(recu)) == images_de(recu)


@pytest.mark.parametrize(("largeur", "hauteur"), [(1, 1), (3, 5), (7, 8), (33, 17)])
@pytest.mark.parametrize("profondeur", [8, 16])
def test_un_png_entrelace_ou_profond_reste_au_bit_pres(nettoye, largeur, hauteur, profondeur):
    lignes = []
    for x, y, dx, dy in (
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ):
        colonnes = len(range(x, largeur, dx))
        lignes += [
            bytes([0]) + bytes(range(250))[: colonnes * 3 * profondeur // 8].ljust(colonnes * 3 * profondeur // 8)
        ] * (len(range(y, hauteur, dy)) if colonnes else 0)
    rangees = zlib.compress(b"".join(lignes))
    tete = largeur.to_bytes(4) + hauteur.to_bytes(4) + bytes([profondeur, 2, 0, 0, 1])
    nu = b"\x89PNG\r\n\x1a\n" + bloc_png(b"IHDR", tete)
    fin = bloc_png(b"IDAT", rangees) + bloc_png(b"IEND", b"")

    propre = nettoye(nu + bloc_png(b"eXIf", exif(6).removeprefix(b"Exif\0\0")) + fin if profondeur == 16 else nu + fin)

    assert propre == nu + fin
    assert ouvrir(propre).size == (largeur, hauteur)


@pytest.mark.parametrize(
    "fin_de_tete",
    [
        (8, 0, 0, 0, 0),
        (3, 0, 0, 0, 0),
        (4, 2, 0, 0, 0),
        (16, 3, 0, 0, 0),
        (8, 0, 1, 0, 0),
        (8, 0, 0, 1, 0),
        (8, 0, 0, 0, 2),
    ],
)
def test_un_png_que_rien_n_ouvre_n_est_pas_dit_nettoye(passer, fin_de_tete):
    tete = struct.pack(">IIBBBBB", 10, 10, *fin_de_tete)
    rangees = zlib.compress(bytes(10 * (1 + -(-10 * fin_de_tete[0] * {0: 1, 2: 3, 3: 1}[fin_de_tete[1]] // 8))))
    blocs = bloc_png(b"IHDR", tete) + bloc_png(b"PLTE", bytes(3)) + bloc_png(b"IDAT", rangees) + bloc_png(b"IEND", b"")

    resultat, _ = passer(b"\x89PNG\r\n\x1a\n" + blocs)

    assert resultat.motif == (None if fin_de_tete == (8, 0, 0, 0, 0) else Motif.ILLISIBLE)


def test_ce_qui_suit_les_rangees_d_un_png_est_coupe(nettoye):
    rangees = zlib.compress(bytes(11 * 10) + SECRET)
    tete = (10).to_bytes(4) * 2 + bytes([8, 0, 0, 0, 0])
    blocs = bloc_png(b"IHDR", tete) + bloc_png(b"IDAT", rangees) + bloc_png(b"IDAT", SECRET) + bloc_png(b"IEND", b"")

    propre = nettoye(b"\x89PNG\r\n\x1a\n" + blocs)

    debut = propre.index(b"IDAT") + 4
    assert zlib.decompress(propre[debut : propre.index(b"IEND") - 8]) == bytes(11 * 10)
    assert SECRET not in propre


def test_du_code_ecrit_en_pixels_reste_des_pixels(nettoye):
    code = b"<?php system(1) ?>".ljust(30)
    rangees = zlib.compress(b"".join(b"\0" + code for _ in range(10)), 0)
    tete = (10).to_bytes(4) * 2 + bytes([8, 2, 0, 0, 0])
    recu = b"\x89PNG\r\n\x1a\n" + bloc_png(b"IHDR", tete) + bloc_png(b"IDAT", rangees) + bloc_png(b"IEND", b"")

    assert ouvrir(nettoye(recu)).tobytes() == code * 10


@pytest.mark.parametrize(("fabrique", "genre"), [(png, "image/png"), (webp, "image/webp")])
def test_une_animation_reste_animee(nettoye, fabrique, genre):
    recue = fabrique(images_animees()[0], orientation=6, **ANIMATION)

    propre = nettoye(recue)

    verifier_sans_trace(propre, genre)
    assert len(images_de(propre)) == 3
    assert images_de(propre) == images_de(recue)
    assert (ouvrir(propre).info["loop"], ouvrir(propre).info["duration"]) == (2, 50)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("options", [{}, {"lossless": True, "exact": True}])
def test_une_image_webp_garde_ses_pixels(nettoye, mode, options):
    recue = webp(dessin(mode), **options)

    propre = nettoye(recue)

    verifier_sans_trace(propre, "image/webp")
    assert images_de(propre) == images_de(recue)
    assert nettoye(propre) == propre


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_une_image_webp_sans_perte_est_redressee_sans_perte(nettoye, mode):
    recue = webp(dessin(mode), orientation=8, lossless=True, exact=True)

    propre = nettoye(recue)

    verifier_sans_trace(propre, "image/webp")
    assert ouvrir(propre).tobytes() == ImageOps.exif_transpose(ouvrir(recue)).tobytes()


@pytest.mark.parametrize(
    ("format_", "options"), [("JPEG", {"quality": 70}), ("PNG", {"compress_level": 1}), ("WEBP", {"method": 0})]
)
def test_la_plus_grande_photo_admise_est_redressee_dans_la_memoire_permise(nettoye, format_, options):
    tampon = BytesIO()
    Image.linear_gradient("L").resize((8_000, 5_000)).convert("RGB").save(tampon, format_, exif=exif(6), **options)

    # The processor of a busy machine is not what is measured here.
    assert ouvrir(nettoye(tampon.getvalue(), cpu=10)).size == (5_000, 8_000)


def test_une_image_webp_avec_perte_est_redressee(nettoye):
    recue = webp(orientation=6)

    redressee, attendue = ouvrir(nettoye(recue)), ImageOps.exif_transpose(ouvrir(recue))

    assert redressee.size == attendue.size
    assert ecart(redressee, attendue) < 6


# --- Colours ---------------------------------------------------------------------------------------------------------


def profil(nom: str) -> bytes:
    """The profile of a space, as a maker would write it: with a name that is not ours."""
    primaires, exposant = couleurs._ESPACES[nom]
    octets = couleurs._construire(nom, primaires, exposant)
    place = octets.index(nom[:4].encode("utf-16-be"))
    return (
        octets[:place]
        + "ÉCRAN N° 42".encode("utf-16-be")[: 2 * len(nom)].ljust(2 * len(nom))
        + octets[place + 2 * len(nom) :]
    )


@pytest.mark.parametrize("nom", ["Display P3", "Adobe RGB"])
@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_un_espace_connu_revient_sous_notre_profil(nettoye, nom, format_, orientation):
    tampon = BytesIO()
    dessin().save(tampon, format_, icc_profile=profil(nom), exif=exif(orientation), lossless=True)

    image = ouvrir(nettoye(tampon.getvalue()))

    sien = ImageCms.ImageCmsProfile(BytesIO(image.info["icc_profile"]))
    assert ImageCms.getProfileDescription(sien).strip() == nom
    assert image.info["icc_profile"] == couleurs.remplacer(profil(nom))


def test_notre_profil_montre_les_couleurs_de_l_espace():
    rouge = Image.new("RGB", (1, 1), (234, 51, 35))  # P3 numbers of the red of sRGB
    p3 = ImageCms.ImageCmsProfile(BytesIO(couleurs.remplacer(profil("Display P3"))))

    vu = ImageCms.profileToProfile(rouge, p3, ImageCms.createProfile("sRGB"), renderingIntent=1).getpixel((0, 0))

    assert all(abs(a - b) <= 3 for a, b in zip(vu, (255, 0, 0), strict=True))


@pytest.mark.parametrize("longueur", [*range(0, 600, 7)])
def test_un_profil_coupe_ou_faux_est_oublie(longueur):
    octets = profil("Display P3")

    assert couleurs.remplacer(octets[:longueur]) in (b"", couleurs.remplacer(octets))
    assert couleurs.remplacer(octets[:128] + b"\xff" * longueur) == b""


def test_une_photo_sans_exif_lisible_reste_comme_elle_est(nettoye):
    tampon = BytesIO()
    dessin().save(tampon, "JPEG")
    nu = tampon.getvalue()

    for bloc in (
        b"MM\0*\xff\xff\xff\xff",
        b"II*\0\x08\0\0\0\xff\xff" + b"\x12\1" * 30,
        b"II*",
        b"MM\0*\0\0\0\x08\0\1\1\x12",
    ):
        propre = nettoye(nu[:2] + segment(0xE1, b"Exif\0\0" + bloc) + nu[2:])
        assert ouvrir(propre).tobytes() == ouvrir(nu).tobytes()
