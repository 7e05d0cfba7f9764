"""The boxes of ISO media: those that belong to a film are read, every other one is emptied where it lies."""

import struct
from collections.abc import Collection

from resources.nettoyage.refus import Refuse

RACINE = b"root"
_ARBRE = {
    RACINE: {b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"sidx", b"ssix", b"mfra", b"pdin"},
    b"moov": {b"mvhd", b"trak", b"mvex"},
    b"trak": {b"tkhd", b"edts", b"mdia", b"tapt"},
    b"edts": {b"elst"},
    b"tapt": {b"clef", b"prof", b"enof"},
    b"mdia": {b"mdhd", b"hdlr", b"minf"},
    b"minf": {b"vmhd", b"smhd", b"dinf", b"hdlr", b"stbl"},
    b"dinf": {b"dref"},
    b"stbl": {
        *(b"stsd", b"stts", b"ctts", b"cslg", b"stss", b"stps", b"sdtp"),
        *(b"stsc", b"stsz", b"stz2", b"stco", b"co64"),
    },
    b"mvex": {b"mehd", b"trex"},
    b"moof": {b"mfhd", b"traf"},
    b"traf": {b"tfhd", b"tfdt", b"trun", b"sdtp"},
    b"mfra": {b"tfra", b"mfro"},
}
_BOITES_MAX = 200_000


class Boite:
    """A kept box: its offsets (start, body, end) in the file, and the kept boxes in it."""

    __slots__ = ("corps", "debut", "enfants", "fin", "genre")

    def __init__(self, genre: bytes, debut: int, corps: int, fin: int) -> None:
        self.genre, self.debut, self.corps, self.fin = genre, debut, corps, fin
        self.enfants: list[Boite] = []

    def dans(self, position: int) -> int:
        """Return this offset; Refuse where it passes the end of the box."""
        if position > self.fin:
            raise Refuse
        return position

    def toutes(self, *chemin: bytes) -> "list[Boite]":
        boites = [self]
        for genre in chemin:
            boites = [enfant for boite in boites for enfant in boite.enfants if enfant.genre == genre]
        return boites

    def une(self, *chemin: bytes) -> "Boite":
        """The one box at this path; Refuse none or several: a table given twice may be read another way by a player."""
        trouvees = self.toutes(*chemin)
        if len(trouvees) != 1:
            raise Refuse
        return trouvees[0]


class Film:
    """The file being cleaned, in place."""

    def __init__(self, octets: bytes) -> None:
        self.source, self.tampon = octets, bytearray(octets)
        self._nombre = 0
        self.racine = Boite(RACINE, 0, 0, len(octets))
        self._parcourir(self.racine)
        self.racine.fin = len(self.tampon)

    def vider(self, boite: Boite) -> None:
        """Turn the box into a zeroed `free` of the same size, which players step over."""
        self.tampon[boite.debut + 4 : boite.debut + 8] = b"free"
        self.zeros(boite.corps, boite.fin)

    def boites(self, debut: int, fin: int) -> list[Boite]:
        """Parse the boxes of this range of offsets; zero the rest, which is none."""
        trouvees = []
        while debut + 8 <= fin and (boite := self._boite(debut, fin)):
            trouvees.append(boite)
            debut = boite.fin
        self.zeros(debut, fin)
        return trouvees

    def zeros(self, debut: int, fin: int) -> None:
        self.tampon[debut:fin] = bytes(fin - debut)

    def _parcourir(self, parent: Boite) -> None:
        position, attendues = parent.corps, _ARBRE[parent.genre]
        while position + 8 <= parent.fin and (boite := self._boite(position, parent.fin, attendues)):
            position = boite.fin
            if boite.genre not in attendues:
                self.vider(boite)
                continue
            parent.enfants.append(boite)
            if boite.genre in _ARBRE:
                self._parcourir(boite)
        if parent.genre == RACINE:
            del self.tampon[position:]  # what was glued behind the film
        else:
            self.zeros(position, parent.fin)  # at most the end mark of QuickTime lists

    def _boite(self, debut: int, limite: int, attendues: Collection[bytes] = ()) -> Boite | None:
        taille, genre = struct.unpack_from(">I4s", self.tampon, debut)
        corps = debut + 8
        if taille == 1 and corps + 8 <= limite:
            taille, corps = int.from_bytes(self.tampon[corps : corps + 8]), corps + 8
        elif taille == 0 and genre in (b"mdat", b"free"):
            taille = limite - debut
        self._nombre += 1
        if self._nombre > _BOITES_MAX:
            raise Refuse
        if corps <= debut + taille <= limite:
            return Boite(genre, debut, corps, debut + taille)
        if genre in attendues:
            raise Refuse  # cut short, or larger than the box it is in
        return None
