"""PNG and APNG: the chunks that draw, rebuilt; no text, no date, no EXIF, no byte beyond the last row.

Nothing is decoded to pixels: the compressed rows are read in a small window, which proves that they are all there.
"""

import struct
import zlib

from resources.nettoyage import couleurs, exif
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import TROP_DE_PIXELS, Refuse

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TETE = 33  # where the first chunk ends
_PROFONDEURS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}  # by kind of colours
_CANAUX = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
# Short numbers of the standard that say how to show the picture, and their length.
_REGLAGES = {b"sRGB": 1, b"gAMA": 4, b"cICP": 4}
_DENSITE = b"pHYs"
_FENETRE = 1 << 20
_BOUCHEE = 1 << 16
_PROFIL_MAX = 1 << 20


class Png:
    """The parts of a file: settings by type, and one compressed stream for each picture."""

    def __init__(self, octets: bytes) -> None:
        self.tete = b""
        self.reglages: dict[bytes, bytes] = {}
        self.autres: dict[bytes, bytes] = {}
        # (fcTL or nothing, pieces of the compressed rows)
        self.images: list[tuple[bytes, list[bytes]]] = []
        self.coupe = False  # it stops before its end
        self._controle = b""
        self._lire(octets)

    @property
    def taille(self) -> tuple[int, int]:
        largeur, hauteur = struct.unpack_from(">II", self.tete)
        return largeur, hauteur

    @property
    def animation(self) -> bytes:
        """The four bytes of the play count; empty for a still picture."""
        controle = self.autres.get(b"acTL", b"")
        return controle[4:] if len(controle) == 8 else b""

    @property
    def est_profond(self) -> bool:
        """Colours of 16 bits: Pillow would keep eight of them, so such a picture stays as it lies."""
        return self.tete[8] == 16 and self.tete[9] != 0

    @property
    def se_lit_par_bandes(self) -> bool:
        """Several bytes a pixel, which Pillow gives back as they were, and row after row."""
        return self.tete[8] == 8 and self.tete[9] in (2, 4, 6) and not self.tete[12]

    @property
    def a_une_tete(self) -> bool:
        """True where any reader opens it: these colours, and the one way to compress and to filter."""
        profondeur, couleur, compression, filtre, entrelace = self.tete[8:]
        return profondeur in _PROFONDEURS.get(couleur, ()) and not compression and not filtre and entrelace < 2

    def _lire(self, octets: bytes) -> None:
        position, genre = len(_SIGNATURE), b""
        while genre != b"IEND":
            bloc = octets[position : position + 8]
            longueur, genre = int.from_bytes(bloc[:4]), bloc[4:]
            fin = position + 12 + longueur
            if fin > len(octets):
                self._couper(genre, octets[position + 8 : fin - 4])
                break
            contenu = octets[position + 8 : fin - 4]
            if zlib.crc32(octets[position + 4 : fin - 4]) != int.from_bytes(octets[fin - 4 : fin]):
                if genre != b"IDAT" and not self.images:
                    raise Refuse
                self._couper(genre, contenu.rstrip(b"\0"))  # damaged from here on: a copy that was interrupted
                break
            if (genre == b"IHDR") == bool(self.tete):
                raise Refuse  # first, and once
            self._noter(genre, contenu)
            position = fin
        palette = self.reglages.get(b"PLTE", b"")
        if not self.images or len(self.tete) != 13 or len(palette) % 3 or (self.tete[9] == 3 and not palette):
            raise Refuse

    def _couper(self, genre: bytes, reste: bytes) -> None:
        """Note what there is of the last chunk of a file that was not sent, or not kept, to its end."""
        self.coupe = True
        if genre in (b"IDAT", b"fdAT"):
            self._noter_image(genre, reste)
        self.images = [image for image in self.images if any(image[1])]

    def _noter(self, genre: bytes, contenu: bytes) -> None:
        if genre == b"IHDR":
            self.tete = contenu
        elif genre in (b"IDAT", b"fcTL", b"fdAT"):
            self._noter_image(genre, contenu)
        elif genre in (b"PLTE", b"tRNS") or len(contenu) == _REGLAGES.get(genre, -1):
            self.reglages.setdefault(genre, contenu[:768])
        elif genre in (b"acTL", b"eXIf", b"iCCP", _DENSITE):
            self.autres.setdefault(genre, contenu)
        elif genre != b"IEND" and not genre[0] & 0x20:
            raise Refuse  # a chunk that nobody may ignore, and that the standard does not know

    def _noter_image(self, genre: bytes, contenu: bytes) -> None:
        if genre == b"IDAT":
            self.images = self.images or [(self._controle, [])]
            self.images[0][1].append(contenu)
        elif genre == b"fdAT" and self.images:
            self.images[-1][1].append(contenu[4:])
        elif genre == b"fcTL" and len(contenu) == 26:
            self._controle = contenu
            self.images += [(contenu, [])] if self.images else []


def _profil(contenu: bytes) -> bytes:
    """An embedded profile, decompressed no further than any profile goes."""
    try:
        return zlib.decompressobj().decompress(contenu[contenu.find(b"\0") + 2 :], _PROFIL_MAX)
    except zlib.error:
        return b""


class Flux:
    """Compressed rows, read forward in a small window."""

    def __init__(self, morceaux: list[bytes]) -> None:
        self._source = (m[p : p + _BOUCHEE] for m in morceaux for p in range(0, len(m), _BOUCHEE))
        self._zlib = zlib.decompressobj()
        self._reste = b""

    def lire(self, nombre: int) -> bytes:
        """Read that many decompressed bytes, or fewer where there are no more."""
        lus: list[bytes] = []
        while nombre and not self._zlib.eof:
            entree = self._reste or next(self._source, b"")
            try:
                sortie = self._zlib.decompress(entree, nombre)
            except zlib.error as erreur:
                raise Refuse from erreur
            self._reste = self._zlib.unconsumed_tail
            if not entree and not sortie:
                break
            lus.append(sortie)
            nombre -= len(sortie)
        return b"".join(lus)

    def est_epuise(self) -> bool:
        """True where nothing follows, neither in the stream nor behind it."""
        return not self.lire(1) and self._zlib.eof and not self._zlib.unused_data and not next(self._source, b"")


class Bandes:
    """The rows of a picture, read forward: some of them at a time, as a small picture."""

    def __init__(self, png: Png) -> None:
        self._png, self._flux = png, Flux(png.images[0][1])
        self._longueur = _passes(png.tete, *png.taille)[0][1]

    def suite(self, lignes: int, dessus: bytes) -> bytes:
        """So many rows more, under the one above them, given in clear: their filters look at it."""
        rangees = (b"\0" + dessus if dessus else b"") + self._flux.lire(lignes * self._longueur)
        tete = self._png.tete[:4] + struct.pack(">I", lignes + bool(dessus)) + self._png.tete[8:]
        blocs = [_SIGNATURE, _bloc(b"IHDR", tete)]
        if transparence := self._png.reglages.get(b"tRNS"):
            blocs.append(_bloc(b"tRNS", transparence))
        return b"".join([*blocs, _bloc(b"IDAT", zlib.compress(rangees, 0)), _bloc(b"IEND", b"")])


def _passes(tete: bytes, largeur: int, hauteur: int) -> list[tuple[int, int]]:
    """`(rows, bytes of a row)` of each pass over the picture: one, or up to seven where interlaced."""
    _, _, profondeur, couleur, _, _, entrelace = struct.unpack(">IIBBBBB", tete)
    bits = profondeur * _CANAUX.get(couleur, 0)
    if not bits or profondeur > 16:
        raise Refuse
    grilles = _ADAM7 if entrelace else ((0, 0, 1, 1),)
    tailles = ((-(-(largeur - x) // dx), -(-(hauteur - y) // dy)) for x, y, dx, dy in grilles)
    return [(lignes, 1 + -(-colonnes * bits // 8)) for colonnes, lignes in tailles if lignes > 0 and colonnes > 0]


def _verifier(morceaux: list[bytes], passes: list[tuple[int, int]], *, coupe: bool) -> bytes:
    """Return the stream as it came, or compressed again where it held more; Refuse missing rows, unless it was `coupe`.

    They are then empty, which is black, or what shows through: at least one byte of the picture is there.
    """
    flux, manque = Flux(morceaux), 0
    for lignes, longueur in passes:
        while lignes:
            lot = min(lignes, max(1, _FENETRE // longueur))
            octets = flux.lire(lot * longueur)
            if max(octets[::longueur], default=0) > 4:
                raise Refuse
            manque += lot * longueur - len(octets)
            lignes -= lot
    total = sum(lignes * longueur for lignes, longueur in passes)
    if manque and (manque == total or not coupe):
        raise Refuse
    if not manque and flux.est_epuise():
        return b"".join(morceaux)
    return _comprimer(Flux(morceaux), total - manque, manque)


def _comprimer(flux: Flux, nombre: int, manque: int) -> bytes:
    compresseur, sortie = zlib.compressobj(6), []
    while nombre:
        octets = flux.lire(min(nombre, _FENETRE))
        sortie.append(compresseur.compress(octets))
        nombre -= len(octets)
    while manque:
        sortie.append(compresseur.compress(bytes(min(manque, _FENETRE))))
        manque -= min(manque, _FENETRE)
    return b"".join([*sortie, compresseur.flush()])


def _bloc(genre: bytes, contenu: bytes) -> bytes:
    return struct.pack(">I", len(contenu)) + genre + contenu + struct.pack(">I", zlib.crc32(genre + contenu))


def _ecrire(png: Png, images: list[tuple[bytes, bytes]]) -> bytes:
    blocs = [_SIGNATURE, _bloc(b"IHDR", png.tete)]
    if profil := couleurs.remplacer(_profil(png.autres.get(b"iCCP", b""))):
        blocs.append(_bloc(b"iCCP", b"icc\0\0" + zlib.compress(profil)))
        png.reglages.pop(b"sRGB", None)
    if png.animation:
        blocs.append(_bloc(b"acTL", struct.pack(">I", sum(bool(c) for c, _ in images)) + png.animation))
    blocs += [_bloc(genre, png.reglages[genre]) for genre in (*_REGLAGES, b"PLTE", b"tRNS") if genre in png.reglages]
    numero = 0
    for rang, (controle, rangees) in enumerate(images):
        if controle:
            blocs.append(_bloc(b"fcTL", struct.pack(">I", numero) + controle[4:]))
            numero += 1
        if rang:
            blocs.append(_bloc(b"fdAT", struct.pack(">I", numero) + rangees))
            numero += 1
        else:
            blocs.append(_bloc(b"IDAT", rangees))
    return b"".join([*blocs, _bloc(b"IEND", b"")])


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    png = Png(octets)
    if not png.a_une_tete:
        raise Refuse
    propre = _epurer(png, bornes)
    sens = exif.orientation(png.autres.get(b"eXIf", b""))
    trop_grand = not png.animation and bornes.est_a_reduire(*png.taille)
    if not trop_grand and (sens == 1 or png.animation or png.est_profond):
        return propre

    from resources.nettoyage import images  # Pillow, for the few that must be turned or shrunk

    if not trop_grand:
        return nettoyer(images.tourner(propre, "PNG", sens, compress_level=3), bornes)
    try:
        reduite = images.tourner(propre, "PNG", sens, bornes.pixels, compress_level=1)
    except Refuse as refuse:
        if refuse.motif != TROP_DE_PIXELS or not png.se_lit_par_bandes:
            raise
        reduite = b""
    if not reduite:  # whole it does not fit; by bands it takes a quarter more time
        suite = Bandes(Png(propre)).suite
        reduite = images.reduire_png(propre, sens, bornes.pixels, suite, compress_level=1)
    return nettoyer(reduite, bornes)


def epurer(octets: bytes, bornes: Bornes) -> bytes:
    """Clean it as it lies, for a document that places it; its density stays, which sizes the tiles of a pattern."""
    png = Png(octets)
    propre, densite = _epurer(png, bornes), png.autres.get(_DENSITE, b"")
    return propre[:_TETE] + _bloc(_DENSITE, densite) + propre[_TETE:] if len(densite) == 9 else propre


def _epurer(png: Png, bornes: Bornes) -> bytes:
    if not png.animation:
        png.images = [(b"", png.images[0][1])]
    if len(png.images) > 1:
        bornes.verifier(*png.taille, len(png.images))
    else:
        bornes.est_a_reduire(*png.taille)  # of a document, it stays as large as it is
    images = []
    for controle, morceaux in png.images:
        largeur, hauteur = struct.unpack_from(">II", controle, 4) if controle else png.taille
        if not (0 < largeur <= png.taille[0] and 0 < hauteur <= png.taille[1]):
            raise Refuse
        images.append((controle, _verifier(morceaux, _passes(png.tete, largeur, hauteur), coupe=png.coupe)))
    return _ecrire(png, images)
