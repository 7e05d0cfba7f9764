"""Pictures larger than what is kept are shrunk, those that stop before their end are completed; neither says more."""

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from resources.nettoyage.images import reduire
from resources.nettoyage.processus import Motif
from resources.tests.nettoyage.documents import archive, parties, parties_docx
from resources.tests.nettoyage.fichiers import SECRET, bloc_png, dessin, exif, heic, images_animees, jpeg, png, webp

pytestmark = [pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO"), pytest.mark.longue]
MEMOIRE = 400 << 20
FABRIQUES = {"JPEG": jpeg, "PNG": png, "WEBP": webp, "HEIC": heic}


def ouvrir(octets: bytes) -> Image.Image:
    image = Image.open(BytesIO(octets))
    image.load()
    return image


def ecart(une: Image.Image, autre: Image.Image) -> float:
    difference = ImageChops.difference(une.convert("RGB"), autre.convert("RGB").resize(une.size))
    return max(ImageStat.Stat(difference).mean)


@pytest.mark.parametrize("genre", FABRIQUES)
@pytest.mark.parametrize("taille", [(300, 200), (900, 60), (50, 1200)])
def test_une_image_trop_grande_est_reduite_sans_etre_deformee(nettoye, genre, taille):
    entiere = dessin(taille=taille)

    propre = nettoye(FABRIQUES[genre](entiere), pixels=20_000)

    image = ouvrir(propre)
    assert SECRET not in propre
    assert 19_000 < image.width * image.height <= 20_000
    assert abs(image.width / image.height / (taille[0] / taille[1]) - 1) < 0.1
    assert ecart(image, entiere) < 16


@pytest.mark.parametrize("genre", ["JPEG", "PNG", "WEBP"])
def test_reduite_elle_est_redressee_aussi(nettoye, genre):
    propre = nettoye(FABRIQUES[genre](dessin(taille=(300, 200)), orientation=6), pixels=20_000)

    image = ouvrir(propre)
    assert image.width < image.height
    assert ecart(image, dessin(taille=(300, 200)).transpose(Image.Transpose.ROTATE_270)) < 16
    assert not image.getexif()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_un_png_de_tout_mode_se_reduit(nettoye, mode):
    image = dessin("L", (300, 200)).convert("I;16") if mode == "I;16" else dessin(mode, (300, 200))

    reduit = ouvrir(nettoye(png(image), pixels=20_000))

    assert reduit.width * reduit.height <= 20_000
    assert ("A" in reduit.getbands()) == (mode in ("LA", "RGBA"))


@pytest.mark.parametrize("genre", FABRIQUES)
def test_au_dela_de_ce_qui_se_lit_elle_est_refusee(passer, genre):
    assert passer(FABRIQUES[genre](), pixels=96 * 64 // 6 - 1)[0].motif == Motif.TROP_DE_PIXELS


@pytest.mark.parametrize("taille", [(8064, 6048), (12000, 9000), (40000, 3000)])
def test_la_photo_d_un_telephone_se_reduit_dans_peu_de_memoire(nettoye, taille):
    tampon = BytesIO()
    Image.new("RGB", taille, (120, 60, 30)).save(tampon, "JPEG")

    image = ouvrir(nettoye(tampon.getvalue(), memoire=MEMOIRE, cpu=30, duree=120))

    assert 39_000_000 < image.width * image.height <= 40_000_000
    assert abs(image.width / image.height - taille[0] / taille[1]) < 0.01


@pytest.mark.parametrize("taille", [(300, 200), (390, 300), (151, 133), (20, 2000)])
@pytest.mark.parametrize(
    ("mode", "options"),
    [
        *(("RGB", {"subsampling": finesse}) for finesse in (0, 1, 2)),
        *(("RGB", {"progressive": True}), ("RGB", {"keep_rgb": True}), ("L", {}), ("CMYK", {})),
    ],
)
def test_un_jpeg_de_toute_sorte_se_reduit_sans_perdre_ses_couleurs(nettoye, taille, mode, options):
    entiere = dessin(taille=taille).convert(mode)
    tampon = BytesIO()
    entiere.save(tampon, "JPEG", quality=95, exif=exif(6), **options)

    image = ouvrir(nettoye(tampon.getvalue(), pixels=20_000))

    assert image.mode == mode
    assert 18_000 < image.width * image.height <= 20_000
    assert ecart(image, entiere.transpose(Image.Transpose.ROTATE_270)) < 12


def test_un_jpeg_que_la_memoire_ne_tient_pas_se_reduit_davantage(nettoye):
    tampon = BytesIO()
    Image.new("CMYK", (8064, 6048), (9, 80, 30, 3)).save(tampon, "JPEG")

    image = ouvrir(nettoye(tampon.getvalue(), memoire=256 << 20, cpu=30, duree=120))

    assert (image.mode, image.size) == ("CMYK", (4032, 3024))


@pytest.mark.parametrize(("taille", "sens"), [((7000, 6500), 1), ((6000, 6600), 6)])
def test_une_photo_webp_pleine_de_details_est_reduite_ou_redressee(nettoye, taille, sens):
    tampon = BytesIO()
    bruit = Image.effect_noise((taille[0] // 4, taille[1] // 4), 50).resize(taille).convert("RGB")
    bruit.save(tampon, "WEBP", quality=50, method=2, exif=exif(sens))
    if sens != 1:
        with pytest.raises(ValueError, match="encoding error"):  # the quick way of coding cannot
            bruit.save(BytesIO(), "WEBP", quality=92, method=0)

    propre = nettoye(tampon.getvalue(), cpu=30, duree=120)

    image = ouvrir(propre)
    largeur, hauteur = image.size if sens == 1 else reversed(image.size)
    assert SECRET not in propre
    assert image.format == "WEBP"
    assert min(39_000_000, taille[0] * taille[1]) <= largeur * hauteur <= 40_000_000
    assert abs(largeur / hauteur - taille[0] / taille[1]) < 0.01


def test_une_longue_capture_se_reduit_et_reste_un_png(nettoye):
    tampon = BytesIO()
    Image.new("RGB", (1440, 30_000), (250, 250, 250)).save(tampon, "PNG", compress_level=1)

    image = ouvrir(nettoye(tampon.getvalue(), cpu=30, duree=120))

    assert (image.format, image.width * image.height <= 40_000_000, image.width > 1300) == ("PNG", True, True)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_un_png_plus_grand_que_la_memoire_se_reduit(nettoye, mode):
    entiere = dessin(mode, (224, 1000)).resize((2240, 10_000))
    tampon = BytesIO()
    entiere.save(tampon, "PNG", compress_level=1)

    image = ouvrir(nettoye(tampon.getvalue(), pixels=4_000_000, memoire=112 << 20, cpu=30, duree=120))

    assert (image.mode, 3_900_000 < image.width * image.height <= 4_000_000) == (mode, True)
    assert ecart(image, entiere) < 4


def test_un_png_dont_une_couleur_est_transparente_la_garde(nettoye):
    tampon = BytesIO()
    Image.new("RGB", (300, 200), (9, 9, 9)).save(tampon, "PNG", transparency=(9, 9, 9))

    assert ouvrir(nettoye(tampon.getvalue(), pixels=20_000)).getchannel("A").getextrema() == (0, 0)


def test_une_image_que_la_memoire_ne_peut_reduire_est_refusee_pour_sa_taille(passer):
    tampon = BytesIO()
    Image.new("RGB", (6000, 5000)).save(tampon, "WEBP", method=0, quality=10)

    assert passer(tampon.getvalue(), pixels=10_000_000, memoire=160 << 20)[0].motif == Motif.TROP_DE_PIXELS


def test_une_reduction_se_fait_par_bandes_sans_couture():
    entiere = dessin(taille=(700, 3000))

    assert ecart(reduire(entiere, 1_000_000), entiere) < 4


@pytest.mark.parametrize("faire", [png, webp])
def test_une_animation_trop_grande_reste_refusee(passer, faire):
    premiere, *autres = images_animees()
    anime = faire(premiere, save_all=True, append_images=autres)

    assert passer(anime, pixels=96 * 64 - 1)[0].motif == Motif.TROP_DE_PIXELS


def test_une_grande_image_d_un_document_y_reste(nettoye):
    recu = parties_docx()
    recu["word/media/image2.png"] = png(dessin(taille=(300, 200)))

    posee = parties(nettoye(archive(recu), pixels=20_000))["word/media/image2.png"]

    assert ouvrir(posee).size == (300, 200)


# --- Without their end ----------------------------------------------------------------------------------------------


def nu(format_: str, **options: object) -> bytes:
    tampon = BytesIO()
    dessin(taille=(200, 160)).save(tampon, format_, **options)
    return tampon.getvalue()


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
@pytest.mark.parametrize("part", [0.5, 0.9, 1])
def test_un_jpeg_sans_sa_fin_est_garde_et_finit(nettoye, options, part):
    entier = nu("JPEG", **options)

    propre = nettoye(entier[: int((len(entier) - 2) * part)])

    image = ouvrir(propre)
    assert propre.endswith(b"\xff\xd9")
    assert image.size == (200, 160)
    haut = (0, 0, 200, 48)
    assert ecart(image.crop(haut), dessin(taille=(200, 160)).crop(haut)) < (40 if options.get("progressive") else 8)


def test_d_un_jpeg_sans_sa_fin_rien_d_autre_que_le_dessin_ne_reste(nettoye):
    propre = nettoye(nu("JPEG")[:-2] + b"\0" * 64 + SECRET * 3)

    assert SECRET not in propre


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
@pytest.mark.parametrize("coupe", [12, 16, 20, 0.5, 0.9])
def test_un_png_sans_sa_fin_est_garde_et_finit(nettoye, mode, coupe):
    tampon = BytesIO()
    dessin(mode, (200, 160)).save(tampon, "PNG")
    entier = tampon.getvalue()

    propre = nettoye(entier[: int(len(entier) * coupe) if isinstance(coupe, float) else len(entier) - coupe])

    image = ouvrir(propre)
    assert propre.endswith(bloc_png(b"IEND", b""))
    haut = (0, 0, 200, 40)
    assert image.size == (200, 160)
    assert image.crop(haut).tobytes() == dessin(mode, (200, 160)).crop(haut).tobytes()


@pytest.mark.parametrize("part", [0.5, 0.9])
def test_un_png_dont_la_copie_s_est_interrompue_est_garde_et_finit(nettoye, part):
    tampon = BytesIO()
    dessin("RGB", (200, 160)).save(tampon, "PNG")
    entier = tampon.getvalue()
    garde = int(len(entier) * part)

    image = ouvrir(nettoye(entier[:garde] + bytes(len(entier) - garde)))

    haut = (0, 0, 200, 40)
    assert image.crop(haut).tobytes() == dessin("RGB", (200, 160)).crop(haut).tobytes()


def test_un_png_dont_la_derniere_somme_est_fausse_est_garde(nettoye):
    tampon = BytesIO()
    dessin("RGB", (200, 160)).save(tampon, "PNG")

    image = ouvrir(nettoye(tampon.getvalue()[:-1] + b"\0"))

    assert image.tobytes() == dessin("RGB", (200, 160)).tobytes()


def test_une_animation_sans_sa_fin_garde_ce_qu_elle_a(nettoye):
    premiere, *autres = images_animees(4)
    entiere = BytesIO()
    premiere.save(entiere, "PNG", save_all=True, append_images=autres)

    image = Image.open(BytesIO(nettoye(entiere.getvalue()[: len(entiere.getvalue()) * 3 // 5])))

    assert 1 <= getattr(image, "n_frames", 1) < 4
    for rang in range(getattr(image, "n_frames", 1)):
        image.seek(rang)
        image.load()


def test_un_png_coupe_avant_son_dessin_ou_a_la_rangee_fausse_reste_refuse(passer):
    tete = b"\x89PNG\r\n\x1a\n" + bloc_png(b"IHDR", struct.pack(">IIBBBBB", 10, 10, 8, 0, 0, 0, 0))

    assert passer(tete)[0].motif == Motif.ILLISIBLE
    assert passer(tete + bloc_png(b"IDAT", b""))[0].motif == Motif.ILLISIBLE
    assert passer(tete + bloc_png(b"IDAT", zlib.compress(b"\5" * 60)))[0].motif == Motif.ILLISIBLE
    courte = tete + bloc_png(b"IDAT", zlib.compress(b"\0" * 60))
    assert passer(courte + bloc_png(b"IEND", b""))[0].motif == Motif.ILLISIBLE
    assert passer(courte)[0].accepte
