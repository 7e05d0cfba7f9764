"""Pictures, films and objects inside a document: each by the cleaner of its kind, as it lies, without a turn.

Word processors draw the pixels as they are coded: what a camera noted of its position was applied when the picture was
put in, so turning it here would turn it twice.
"""

import struct

from resources.nettoyage import couleurs, genres, gif, jpeg
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import TROP_DIVERS, Refuse

_FILMS = (genres.MP4, genres.QUICKTIME, genres.TROIS_GPP, genres.M4A)
_TELS_QUELS = ("image/bmp", "image/vnd.microsoft.icon")
_POLICES = (b"\0\1\0\0", b"OTTO", b"true", b"ttcf", b"wOFF", b"wOF2")
_METAFICHIERS = (b"\xd7\xcd\xc6\x9a", b"\1\0\x09\0", b"\2\0\x09\0", b"VCLMTF")  # WMF, and that of LibreOffice
_EMF = b" EMF"
_DENSITE = 13  # where a JPEG that we write says it
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    """The same picture, film or font, told by its bytes alone; Refuse a kind that nothing here cleans."""
    if octets[40:44] == _EMF:
        return _emf(octets)
    if octets.startswith((*_METAFICHIERS, *_POLICES)):
        return octets
    if octets.startswith(OLE):
        return objet_vide()
    genre = genres.reconnaitre(octets[: genres.DEBUT])
    if genre in _TELS_QUELS or not octets:
        return octets
    if genre == genres.JPEG:
        return _jpeg(octets)
    return _autre(genre, octets, bornes)


def _autre(genre: str, octets: bytes, bornes: Bornes) -> bytes:
    """Clean a file whose cleaner is heavier: each is imported where it is needed."""
    if genre == "image/gif":
        return gif.nettoyer(octets, bornes)
    if genre == genres.PNG:
        from resources.nettoyage import png

        return png.epurer(octets, bornes)
    if genre == genres.WEBP:
        from resources.nettoyage import webp

        return webp.epurer(octets, bornes)
    if genre in _FILMS:
        from resources.nettoyage import mp4

        return bytes(mp4.nettoyer(octets, bornes))
    return _converti(genre, octets, bornes)


def _converti(genre: str, octets: bytes, bornes: Bornes) -> bytes:
    if genre == genres.PDF:
        from resources.nettoyage import pdf

        return pdf.nettoyer(octets, bornes)
    if genre == "image/tiff":
        from resources.nettoyage import images

        return images.recoder_tiff(octets, bornes)
    raise Refuse(TROP_DIVERS)


def _jpeg(octets: bytes) -> bytes:
    photo = jpeg.Jpeg(octets)
    if not photo.dessin:
        raise Refuse
    propre = photo.ecrire(couleurs.remplacer(photo.icc))
    # Its density stays, which sizes the tiles of a pattern.
    return propre[:_DENSITE] + photo.densite + propre[_DENSITE + 5 :] if photo.jfif else propre


def _emf(octets: bytes) -> bytes:
    """A metafile names the program and the drawing in its header."""
    longueur, place = struct.unpack_from("<II", octets, 60)
    if not longueur:
        return octets
    fin = place + 2 * longueur
    if place < 88 or fin > len(octets):
        raise Refuse
    return octets[:60] + bytes(8) + octets[68:place] + bytes(fin - place) + octets[fin:]


def objet_vide() -> bytes:
    """An OLE file without content, in place of one: nobody can say what it holds, and its picture lies beside it."""
    fin, libre = 0xFFFFFFFE, 0xFFFFFFFF
    tete = OLE + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    tete += struct.pack("<IIIIIIIIII", 0, 1, 1, 0, 4096, fin, 0, fin, 0, 0) + struct.pack("<I", libre) * 108
    table = struct.pack("<II", 0xFFFFFFFD, fin) + struct.pack("<I", libre) * 126
    racine = "Root Entry".encode("utf-16-le").ljust(64, b"\0") + struct.pack("<HBBIII", 22, 5, 1, libre, libre, libre)
    racine += bytes(36) + struct.pack("<IQ", fin, 0)
    sans_nom = bytes(68) + struct.pack("<III", libre, libre, libre) + bytes(48)
    return tete + table + racine + sans_nom * 3
