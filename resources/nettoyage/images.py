"""Work on pixels: prove that a picture decodes, and turn it. Pillow is imported here only."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any

from PIL import Image, _webp

from resources.nettoyage.refus import TROP_DE_MEMOIRE, TROP_DE_PIXELS, Refuse

if TYPE_CHECKING:
    from resources.nettoyage.bornes import Bornes

_Sens = Image.Transpose
_TOURS = {
    2: _Sens.FLIP_LEFT_RIGHT,
    3: _Sens.ROTATE_180,
    4: _Sens.FLIP_TOP_BOTTOM,
    5: _Sens.TRANSPOSE,
    6: _Sens.ROTATE_270,
    7: _Sens.TRANSVERSE,
    8: _Sens.ROTATE_90,
}
_QUALITE = 90
_BANDE = 256  # rows of a picture that is shrunk, at a time
_PAR_PIXEL = 12  # bytes: the canvases of the decoder of WebP, and what it gives
_COUCHES = (5, 6, 7, 8)  # width and height change places
# The sizes were held to our own limit before; a warning of Pillow would only repeat it.
Image.MAX_IMAGE_PIXELS = None
warnings.simplefilter("ignore")


def ouvrir(octets: bytes, format_: str) -> Image.Image:
    """Open as one format and no other; any exception of Pillow, MemoryError aside, becomes Refuse."""
    try:
        return Image.open(BytesIO(octets), formats=[format_])
    except MemoryError:
        raise
    except Exception as erreur:
        raise Refuse from erreur


def verifier_jpeg(octets: bytes) -> None:
    """Decode at an eighth of the size: all the coded data is read, for a sixty-fourth of the memory."""
    with ouvrir(octets, "JPEG") as image:
        image.draft(None, (1, 1))
        charger(image)


def charger(image: Image.Image) -> None:
    try:
        image.load()
    except MemoryError:
        raise
    except Exception as erreur:
        raise Refuse from erreur


def tourner_jpeg(octets: bytes, sens: int, *, en_ycc: bool) -> bytes:
    """Turn in the colours and with the tables of the file, so that coding again hardly changes it; `sens` 1 only codes.

    `en_ycc`: kept as light and two tints. Of a picture that stops before its end, what is missing is grey.
    """
    from PIL.JpegImagePlugin import get_sampling

    with ouvrir(octets, "JPEG") as image:
        if en_ycc:
            image.draft("YCbCr", None)
        charger(image)
        tables: dict[int, list[int]] = image.quantization  # type: ignore[attr-defined]
        finesse = get_sampling(image)
        if sens in _COUCHES:
            tables = {n: [table[8 * (i % 8) + i // 8] for i in range(64)] for n, table in tables.items()}
            finesse = finesse if finesse in (0, 2) else 0
        tournee = droite(image, sens)
    del image
    return ecrire(tournee, "JPEG", qtables=tables, subsampling=max(finesse, 0))


def reduire_jpeg(octets: bytes, sens: int, pixels: int) -> bytes:
    """Decode at the smallest scale, of 1, 1/2, 1/4 and 1/8, that has more pixels than are kept, and shrink the rest.

    Where memory is too short for that, at the next one, which has fewer.
    """
    petite = None
    with suppress(MemoryError, Refuse):  # libjpeg says of what it cannot hold that it is damaged
        petite = _reduit(octets, sens, pixels)
    if petite is None:
        petite = droite(_a_l_echelle(octets, pixels, None), sens)
    petite.info = {}
    return ecrire(petite, "JPEG", quality=_QUALITE)


def _reduit(octets: bytes, sens: int, pixels: int) -> Image.Image:
    """Its light at the scale just above, its colours at the one below: a quarter of the memory of whole pixels."""
    lumiere = _a_l_echelle(octets, pixels, "L", au_dessus=True)
    couleurs = _a_l_echelle(octets, pixels, "YCbCr") if lumiere.mode == "L" else lumiere
    if couleurs.mode != "YCbCr":
        return droite(lumiere, sens)  # four inks, or greys
    teintes = [couleurs.getchannel(rang).resize(lumiere.size, Image.Resampling.BILINEAR) for rang in (1, 2)]
    del couleurs
    return Image.merge("YCbCr", [droite(canal, sens) for canal in (lumiere, *teintes)])


def _a_l_echelle(octets: bytes, pixels: int, mode: str | None, *, au_dessus: bool = False) -> Image.Image:
    with ouvrir(octets, "JPEG") as image:
        largeur, hauteur = image.size
        echelle = next((n for n in (2, 4, 8) if -(-largeur // n) * -(-hauteur // n) <= pixels), 8)
        echelle //= 2 if au_dessus else 1
        en_rvb = image.mode == "RGB" and image.info.get("adobe_transform") == 0 and "jfif" not in image.info
        image.draft(
            None if en_rvb and mode == "YCbCr" else mode, (max(1, largeur // echelle), max(1, hauteur // echelle))
        )
        charger(image)
        image = reduire(image, pixels)
        return image.convert(mode) if en_rvb and mode else image


def reduire(image: Image.Image, pixels: int) -> Image.Image:
    """Shrink to that many pixels, band by band: beside the two pictures it takes the room of one band."""
    if image.width * image.height <= pixels:
        return image
    return _par_bandes(image, pixels, lambda haut, bas: image.crop((0, haut, image.width, bas)))


def _par_bandes(image: Image.Image, pixels: int, lire: Callable[[int, int], Image.Image]) -> Image.Image:
    """`lire`: the rows from one to another, asked for from top to bottom; one row may be asked for twice."""
    largeur, hauteur = image.size
    facteur = (pixels / (largeur * hauteur)) ** 0.5
    taille = max(1, int(largeur * facteur)), max(1, int(hauteur * facteur))
    mode = _mode_a_reduire(image)
    petite = Image.new(mode, taille)
    for haut in range(0, taille[1], _BANDE):
        bas = min(haut + _BANDE, taille[1])
        debut, fin = haut * hauteur / taille[1], bas * hauteur / taille[1]
        premiere = int(debut)
        bande = lire(premiere, min(hauteur, ceil(fin))).convert(mode)
        boite = (0, debut - premiere, largeur, min(fin - premiere, bande.height))
        petite.paste(bande.resize((taille[0], bas - haut), Image.Resampling.BOX, box=boite), (0, haut))
    return petite


def reduire_png(octets: bytes, sens: int, pixels: int, suite: Callable[[int, bytes], bytes], **options: Any) -> bytes:
    """Shrink a picture that is never whole in memory.

    `suite`: a PNG of so many rows more, below the one that is given, which the filters of the next look at.
    """
    lues, dessus = 0, b""

    def lire(haut: int, bas: int) -> Image.Image:
        nonlocal lues, dessus
        bande = _charge(suite(bas - lues, dessus), "PNG")
        lues, dessus = bas, bande.crop((0, bande.height - 1, bande.width, bande.height)).tobytes()
        return bande.crop((0, bande.height - (bas - haut), bande.width, bande.height))

    with ouvrir(octets, "PNG") as image:
        profil = image.info.get("icc_profile")
        petite = droite(_par_bandes(image, pixels, lire), sens)
    return ecrire(petite, "PNG", icc_profile=profil, **options)


def _mode_a_reduire(image: Image.Image) -> str:
    """A mode whose neighbours mix: those of a palette do not."""
    if image.has_transparency_data:
        return "RGBA"
    return {"1": "L", "L": "L", "I;16": "L", "CMYK": "CMYK", "YCbCr": "YCbCr"}.get(image.mode, "RGB")


def droite(image: Image.Image, sens: int) -> Image.Image:
    return image.transpose(_TOURS[sens]) if sens in _TOURS else image


def verifier_webp(octets: bytes) -> None:
    with ouvrir(octets, "WEBP") as image:
        for rang in range(getattr(image, "n_frames", 1)):
            image.seek(rang)
            charger(image)


def tourner(
    octets: bytes,
    format_: str,
    sens: int,
    pixels: int | None = None,
    *,
    sinon: dict[str, Any] | None = None,
    **options: Any,
) -> bytes:
    """Decode, shrink to that many pixels where they are given, turn, code again; `sinon`: how, where `options` fail."""
    try:
        image = _webp_seul(octets) if format_ == "WEBP" and pixels else _charge(octets, format_)
        profil = image.info.get("icc_profile")
        image = reduire(image, pixels) if pixels else image
    except MemoryError as erreur:
        raise Refuse(TROP_DE_PIXELS if pixels else TROP_DE_MEMOIRE) from erreur
    tournee = droite(image, sens)
    tournee.info = {
        cle: image.info[cle] for cle in ("transparency",) if cle in image.info and tournee.mode == image.mode
    }
    del image  # its pixels: coding the others takes their room
    try:
        return ecrire(tournee, format_, icc_profile=profil, **options)
    except ValueError:
        if sinon is None:
            raise
    return ecrire(tournee, format_, icc_profile=profil, **sinon)


def _charge(octets: bytes, format_: str) -> Image.Image:
    image = ouvrir(octets, format_)
    charger(image)
    return image


def prevoir_webp(surface: int) -> None:
    """Refuse for its size what the decoder could not hold: it would say of it that it is damaged."""
    try:
        bytearray(_PAR_PIXEL * surface)  # never touched, so that it costs nothing
    except MemoryError as erreur:
        raise Refuse(TROP_DE_PIXELS) from erreur


def _webp_seul(octets: bytes) -> Image.Image:
    """Decode a still WebP without what Pillow holds beside it: the canvases of an animation, and a copy."""
    decodeur = _webp.WebPAnimDecoder(octets)
    taille, _, _, _, mode = decodeur.get_info()
    profil, decode = decodeur.get_chunk("ICCP"), decodeur.get_next()
    if decode is None:
        raise Refuse
    del decodeur
    image = Image.frombuffer(mode, taille, decode[0], "raw", mode, 0, 1)
    image.info = {"icc_profile": profil}
    return image


def ecrire(image: Image.Image, format_: str, **options: Any) -> bytes:
    sortie = BytesIO()
    image.save(sortie, format_, **options)
    return sortie.getvalue()


def recoder_tiff(octets: bytes, bornes: "Bornes") -> bytes:
    """The first picture of a TIFF, its pixels alone: it has no other part that could be told apart."""
    with ouvrir(octets, "TIFF") as image:
        bornes.verifier(*image.size)
        charger(image)
        nue = Image.frombytes(image.mode, image.size, image.tobytes())
        if image.palette is not None and image.mode == "P":
            nue.putpalette(image.palette)
    return ecrire(nue, "TIFF", compression="tiff_lzw" if nue.mode != "1" else "group4")
