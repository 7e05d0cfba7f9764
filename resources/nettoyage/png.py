"""PNG and APNG: the chunks that draw, rebuilt; no text, no date, no EXIF, no byte beyond the last row.

Nothing is decoded to pixels: the compressed rows are read in a small window, which proves that they are all there.
"""

import struct
import zlib

from resources.nettoyage import couleurs, exif
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import Refuse

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TETE = 33  # where the first chunk ends
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

    def _lire(self, octets: bytes) -> None:
        position, genre = len(_SIGNATURE), b""
        while genre != b"IEND":
            longueur, genre = _unpack(">I4s", octets, position)
            fin = position + 12 + longueur
            if fin > len(octets):
                raise Refuse
            contenu = octets[position + 8 : fin - 4]
            if zlib.crc32(octets[position + 4 : fin - 4]) != int.from_bytes(octets[fin - 4 : fin]):
                raise Refuse
            if (genre == b"IHDR") == bool(self.tete):
                raise Refuse  # first, and once
            self._noter(genre, contenu)
            position = fin
        palette = self.reglages.get(b"PLTE", b"")
        if not self.images or len(self.tete) != 13 or len(palette) % 3 or (self.tete[9] == 3 and not palette):
            raise Refuse

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


def _unpack(forme: str, octets: bytes, position: int) -> tuple[int, bytes]:
    try:
        nombre, marque = struct.unpack_from(forme, octets, position)
    except struct.error as erreur:
        raise Refuse from erreur
    return nombre, marque


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


def _passes(tete: bytes, largeur: int, hauteur: int) -> list[tuple[int, int]]:
    """`(rows, bytes of a row)` of each pass over the picture: one, or up to seven where interlaced."""
    _, _, profondeur, couleur, _, _, entrelace = struct.unpack(">IIBBBBB", tete)
    bits = profondeur * _CANAUX.get(couleur, 0)
    if not bits or profondeur > 16:
        raise Refuse
    grilles = _ADAM7 if entrelace else ((0, 0, 1, 1),)
    tailles = ((-(-(largeur - x) // dx), -(-(hauteur - y) // dy)) for x, y, dx, dy in grilles)
    return [(lignes, 1 + -(-colonnes * bits // 8)) for colonnes, lignes in tailles if lignes > 0 and colonnes > 0]


def _verifier(morceaux: list[bytes], passes: list[tuple[int, int]]) -> bytes:
    """Refuse missing rows; return the stream as it came, or compressed again where it held more."""
    flux = Flux(morceaux)
    for lignes, longueur in passes:
        while lignes:
            lot = min(lignes, max(1, _FENETRE // longueur))
            octets = flux.lire(lot * longueur)
            if len(octets) < lot * longueur or max(octets[::longueur]) > 4:
                raise Refuse
            lignes -= lot
    if flux.est_epuise():
        return b"".join(morceaux)
    return _comprimer(Flux(morceaux), sum(lignes * longueur for lignes, longueur in passes))


def _comprimer(flux: Flux, nombre: int) -> bytes:
    compresseur, sortie = zlib.compressobj(6), []
    while nombre:
        octets = flux.lire(min(nombre, _FENETRE))
        sortie.append(compresseur.compress(octets))
        nombre -= len(octets)
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
    propre = _epurer(png, bornes)
    sens = exif.orientation(png.autres.get(b"eXIf", b""))
    if sens == 1 or png.animation or png.est_profond:
        return propre

    from resources.nettoyage.images import tourner  # Pillow, for the few that must be turned

    return nettoyer(tourner(propre, "PNG", sens, compress_level=3), bornes)


def epurer(octets: bytes, bornes: Bornes) -> bytes:
    """Clean it as it lies, for a document that places it; its density stays, which sizes the tiles of a pattern."""
    png = Png(octets)
    propre, densite = _epurer(png, bornes), png.autres.get(_DENSITE, b"")
    return propre[:_TETE] + _bloc(_DENSITE, densite) + propre[_TETE:] if len(densite) == 9 else propre


def _epurer(png: Png, bornes: Bornes) -> bytes:
    if not png.animation:
        png.images = [(b"", png.images[0][1])]
    bornes.verifier(*png.taille, len(png.images))
    images = []
    for controle, morceaux in png.images:
        largeur, hauteur = struct.unpack_from(">II", controle, 4) if controle else png.taille
        if not (0 < largeur <= png.taille[0] and 0 < hauteur <= png.taille[1]):
            raise Refuse
        images.append((controle, _verifier(morceaux, _passes(png.tete, largeur, hauteur))))
    return _ecrire(png, images)
