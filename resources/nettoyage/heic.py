"""HEIC, what iPhones take: decoded, and coded as a JPEG that every screen shows. Nothing but the pixels goes along.

libheif turns the picture as its container says; the orientation in EXIF only repeats it.
"""

from io import BytesIO

import pillow_heif
from PIL import Image

from resources.nettoyage import couleurs, images
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.jpeg import Jpeg
from resources.nettoyage.refus import Refuse

_QUALITE = 90
pillow_heif.options.DECODE_THREADS = 0  # none but that of libde265
pillow_heif.options.THUMBNAILS = pillow_heif.options.DEPTH_IMAGES = pillow_heif.options.AUX_IMAGES = False


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    fichier = pillow_heif.open_heif(BytesIO(octets))
    if len(fichier) > bornes.images:
        raise Refuse
    photo = fichier[fichier.primary_index]
    bornes.est_a_reduire(*photo.size)
    profil = photo.info.get("icc_profile")
    image = photo.to_pillow()
    bornes.est_a_reduire(*image.size)  # what was decoded, whatever was announced
    del fichier, photo  # their pixels: coding takes that room
    image = images.reduire(image, bornes.pixels)
    return Jpeg(images.ecrire(_a_plat(image), "JPEG", quality=_QUALITE)).ecrire(
        couleurs.remplacer(profil if isinstance(profil, bytes) else b"")
    )


def _a_plat(image: Image.Image) -> Image.Image:
    """JPEG has no transparency: what shows through is white."""
    if "A" in image.getbands():
        fond = Image.new("RGB", image.size, "white")
        fond.paste(image, mask=image.getchannel("A"))
        return fond
    nu = image if image.mode in ("L", "RGB") else image.convert("RGB")
    nu.info = {}
    return nu
