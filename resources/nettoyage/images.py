"""Work on pixels: prove that a picture decodes, and turn it. Pillow is imported here only."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image

from resources.nettoyage.refus import Refuse

if TYPE_CHECKING:
    from resources.nettoyage.bornes import Bornes
    from resources.nettoyage.jpeg import Jpeg

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


def tourner_jpeg(octets: bytes, sens: int, jpeg: "Jpeg") -> bytes:
    """Turn in the colours and with the tables of the file, so that coding again hardly changes it."""
    from PIL.JpegImagePlugin import get_sampling

    with ouvrir(octets, "JPEG") as image:
        if jpeg.composantes == 3 and (jpeg.jfif or jpeg.adobe == 1):
            image.draft("YCbCr", None)
        charger(image)
        tables: dict[int, list[int]] = image.quantization  # type: ignore[attr-defined]
        finesse = get_sampling(image)
        if sens in _COUCHES:
            tables = {n: [table[8 * (i % 8) + i // 8] for i in range(64)] for n, table in tables.items()}
            finesse = finesse if finesse in (0, 2) else 0
        tournee = image.transpose(_TOURS[sens])
    del image
    return ecrire(tournee, "JPEG", qtables=tables, subsampling=max(finesse, 0))


def verifier_webp(octets: bytes) -> None:
    with ouvrir(octets, "WEBP") as image:
        for rang in range(getattr(image, "n_frames", 1)):
            image.seek(rang)
            charger(image)


def tourner(octets: bytes, format_: str, sens: int, **options: Any) -> bytes:
    with ouvrir(octets, format_) as image:
        charger(image)
        tournee = image.transpose(_TOURS[sens])
        tournee.info = {cle: image.info[cle] for cle in ("transparency",) if cle in image.info}
        profil = image.info.get("icc_profile")
    del image  # its pixels: coding the others takes their room
    return ecrire(tournee, format_, icc_profile=profil, **options)


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
