"""JPEG: the segments that draw the picture, copied bit for bit, and nothing else.

What follows the end of the picture (a second one, a film, an archive) is left out too. Only a picture that must be
turned is coded again, with its own quantisation tables, so that it loses next to nothing.
"""

import re

from resources.nettoyage import couleurs, exif
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import TROP_D_OBJETS, Refuse

_DEBUT, _JFIF = b"\xff\xd8", b"\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
_SOI, _FIN, _SOS, _APP0, _APP1, _APP2, _APP14 = 0xD8, 0xD9, 0xDA, 0xE0, 0xE1, 0xE2, 0xEE
_TRAMES = {0xC0, 0xC1, 0xC2}  # baseline, extended, progressive: what browsers show
_TABLES = {0xC4, 0xDB, 0xDD}
# The next marker, wherever it is: neither a stuffed byte, nor a restart, nor filling, nor what lies in between.
_MARQUEUR = re.compile(rb"\xff[\x02-\xcf\xd8-\xfe]")
_MORCEAU_D_ICC = 65_000
# A progressive picture has about ten; each one more is another walk over all the pixels, even where it is empty.
PASSES_MAX = 100


class Jpeg:
    """The parts of a file; `complet`: up to its end mark; `est_commence`: some of its drawing is there."""

    def __init__(self, octets: bytes) -> None:
        self.dessin: list[memoryview] = []
        self.taille = (0, 0)
        self.composantes, self.passes = 0, 0
        self.jfif, self.complet, self.est_commence = False, False, False
        self.densite = b"\0\0\1\0\1"  # a unit and two numbers
        self.adobe: int | None = None
        self.exif = b""
        self._icc: list[bytes] = []
        self._lire(octets)

    @property
    def icc(self) -> bytes:
        return b"".join(morceau[2:] for morceau in sorted(self._icc))

    @property
    def en_ycc(self) -> bool:
        """True where its colours are said to be light and two tints."""
        return self.composantes == 3 and (self.jfif or self.adobe == 1)

    def ecrire(self, profil: bytes = b"") -> bytes:
        tete = [_DEBUT]
        if self.jfif:
            tete.append(_JFIF)
        if self.adobe is not None:
            tete.append(b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0" + bytes([self.adobe]))
        if profil and len(profil) <= _MORCEAU_D_ICC:
            tete.append(b"\xff\xe2" + (len(profil) + 16).to_bytes(2) + b"ICC_PROFILE\0\1\1" + profil)
        return b"".join([*tete, *self.dessin, b"\xff\xd9"])

    def _lire(self, octets: bytes) -> None:
        vue, position = memoryview(octets), 2
        if not octets.startswith(_DEBUT):
            raise Refuse
        while trouve := _MARQUEUR.search(octets, position):
            debut, position = trouve.span()
            marqueur = octets[debut + 1]
            if marqueur == _FIN:
                self.complet = True
                return
            fin = position + int.from_bytes(octets[position : position + 2])
            if marqueur == _SOI or fin < position + 2:
                raise Refuse
            if fin > len(octets):
                return
            contenu = vue[position + 2 : fin]
            if marqueur == _SOS:
                suite = _MARQUEUR.search(octets, fin)
                self.est_commence = self.est_commence or len(octets) > fin
                fin = suite.start() if suite else len(octets)
            self._noter(marqueur, contenu, vue[debut:fin])
            position = fin

    def _noter(self, marqueur: int, contenu: memoryview, segment: memoryview) -> None:
        if marqueur in _TRAMES:
            if self.composantes or len(contenu) < 6:
                raise Refuse
            self.taille = int.from_bytes(contenu[3:5]), int.from_bytes(contenu[1:3])
            self.composantes = contenu[5]
        if marqueur == _SOS:
            self.passes += 1
            if self.passes > PASSES_MAX:
                raise Refuse(TROP_D_OBJETS)
        if marqueur in _TRAMES or marqueur in _TABLES or marqueur == _SOS:
            self.dessin.append(segment)
        elif 0xC0 <= marqueur <= 0xCF:
            raise Refuse  # lossless, hierarchical or arithmetic
        else:
            self._noter_application(marqueur, bytes(contenu))

    def _noter_application(self, marqueur: int, contenu: bytes) -> None:
        if marqueur == _APP0 and contenu.startswith(b"JFIF\0"):
            self.jfif, self.densite = True, contenu[7:12] if len(contenu) >= 12 else self.densite
        elif marqueur == _APP14 and contenu.startswith(b"Adobe") and len(contenu) >= 12:
            self.adobe = contenu[11]
        elif marqueur == _APP1 and contenu.startswith(b"Exif\0\0"):
            self.exif = self.exif or contenu[6:]
        elif marqueur == _APP2 and contenu.startswith(b"ICC_PROFILE\0"):
            self._icc.append(contenu[12:])


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    jpeg = Jpeg(octets)
    trop_grand = bornes.est_a_reduire(*jpeg.taille)
    if not jpeg.complet and not jpeg.est_commence:
        raise Refuse
    sens, profil = exif.orientation(jpeg.exif), couleurs.remplacer(jpeg.icc)
    propre = jpeg.ecrire(profil)

    from resources.nettoyage import images  # Pillow, once the rest has been refused or not

    if trop_grand:
        return Jpeg(images.reduire_jpeg(propre, sens, bornes.pixels)).ecrire(profil)
    if sens == 1 and jpeg.complet:
        images.verifier_jpeg(propre)
        return propre
    # One without its end is coded again: nobody can say where its drawing stops and what else begins.
    return Jpeg(images.tourner_jpeg(propre, sens, en_ycc=jpeg.en_ycc)).ecrire(profil)


def epurer(octets: bytes) -> bytes | None:
    """Strip a JPEG stream of a document to the segments that draw it; None where it is no JPEG."""
    try:
        jpeg = Jpeg(octets)
    except Refuse:
        return None
    return jpeg.ecrire() if jpeg.composantes and jpeg.dessin else None
