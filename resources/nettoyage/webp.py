"""WebP: the chunks that draw, copied as they are; no EXIF, no XMP, nothing after the end."""

import struct
from collections.abc import Iterator

from resources.nettoyage import couleurs, exif
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import Refuse

_ANIMATION, _ALPHA, _ICC = 0x02, 0x10, 0x20
_BLOCS_MAX = 10_000
_DESSIN = (b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF")


def _blocs(octets: bytes, position: int, fin: int) -> Iterator[tuple[bytes, bytes]]:
    nombre = 0
    while position + 8 <= fin:
        nombre += 1
        if nombre > _BLOCS_MAX:
            raise Refuse
        genre, longueur = struct.unpack_from("<4sI", octets, position)
        debut, position = position + 8, position + 8 + longueur + longueur % 2
        if debut + longueur > fin:
            raise Refuse
        yield genre, octets[debut : debut + longueur]
    if position < fin:
        raise Refuse


def _bloc(genre: bytes, contenu: bytes) -> bytes:
    return genre + struct.pack("<I", len(contenu)) + contenu + bytes(len(contenu) % 2)


def _image(contenu: bytes) -> bytes:
    """Rebuild one picture of an animation from its header and drawing chunks alone."""
    if len(contenu) < 16:
        raise Refuse
    return contenu[:16] + b"".join(_bloc(g, c) for g, c in _blocs(contenu, 16, len(contenu)) if g in _DESSIN[:3])


def _taille(genre: bytes, contenu: bytes) -> tuple[int, int]:
    if genre == b"VP8X" and len(contenu) >= 10:
        return int.from_bytes(contenu[4:7], "little") + 1, int.from_bytes(contenu[7:10], "little") + 1
    if genre == b"VP8L" and len(contenu) >= 5:
        bits = int.from_bytes(contenu[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if genre == b"VP8 " and len(contenu) >= 10:
        largeur, hauteur = struct.unpack_from("<HH", contenu, 6)
        return largeur & 0x3FFF, hauteur & 0x3FFF
    raise Refuse


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    blocs = _lire(octets)
    propre, images = _epurer(blocs, bornes)
    largeur, hauteur = _taille(*blocs[0])
    pixels = bornes.pixels if images == 1 and bornes.est_a_reduire(largeur, hauteur) else None

    from resources.nettoyage import images as pillow  # Pillow, once the rest has been refused or not

    sens = exif.orientation(dict(reversed(blocs)).get(b"EXIF", b"").removeprefix(b"Exif\0\0"))
    if images > 1 or (sens == 1 and not pixels):
        pillow.verifier_webp(propre)
        return propre
    if pixels:
        pillow.prevoir_webp(largeur * hauteur)
    sans_perte = any(genre == b"VP8L" for genre, _ in blocs)
    # The quick ways of coding: a large photo is done within its seconds of processor, for hardly more bytes.
    options = {"lossless": True, "exact": True, "method": 1} if sans_perte else {"quality": 92, "method": 0}
    # The second one fits a large and detailed photo into the space that the format has for its modes.
    return pillow.tourner(propre, "WEBP", sens, pixels, sinon={"quality": 92, "method": 2}, **options)


def epurer(octets: bytes, bornes: Bornes) -> bytes:
    """Clean it as it lies, for a document that places it."""
    return _epurer(_lire(octets), bornes)[0]


def _lire(octets: bytes) -> list[tuple[bytes, bytes]]:
    fin = 8 + int.from_bytes(octets[4:8], "little")
    if fin > len(octets):
        raise Refuse
    blocs = list(_blocs(octets, 12, fin))
    if not blocs:
        raise Refuse
    return blocs


def _verifier(bornes: Bornes, largeur: int, hauteur: int, images: int) -> None:
    """A still picture may be one that will be shrunk."""
    if images > 1:
        bornes.verifier(largeur, hauteur, images)
    else:
        bornes.est_a_reduire(largeur, hauteur)


def _epurer(blocs: list[tuple[bytes, bytes]], bornes: Bornes) -> tuple[bytes, int]:
    """The file without its metadata, and how many pictures it has."""
    images = max(1, sum(genre == b"ANMF" for genre, _ in blocs))
    _verifier(bornes, *_taille(*blocs[0]), images)
    dessin = [(g, _image(c) if g == b"ANMF" else c) for g, c in blocs if g in _DESSIN]
    for genre, contenu in dessin:
        if genre in (b"VP8 ", b"VP8L"):
            _verifier(bornes, *_taille(genre, contenu), images)
    etendu = blocs[0][0] == b"VP8X"
    return _ecrire(dessin, dict(reversed(blocs)) if etendu else {}), images


def _ecrire(dessin: list[tuple[bytes, bytes]], metadonnees: dict[bytes, bytes]) -> bytes:
    parties = []
    if entete := metadonnees.get(b"VP8X"):
        profil = couleurs.remplacer(metadonnees.get(b"ICCP", b""))
        drapeaux = entete[0] & (_ANIMATION | _ALPHA) | (_ICC if profil else 0)
        parties.append(_bloc(b"VP8X", bytes([drapeaux, 0, 0, 0]) + entete[4:10]))
        parties += [_bloc(b"ICCP", profil)] if profil else []
    corps = b"WEBP" + b"".join([*parties, *(_bloc(genre, contenu) for genre, contenu in dessin)])
    return b"RIFF" + struct.pack("<I", len(corps)) + corps
