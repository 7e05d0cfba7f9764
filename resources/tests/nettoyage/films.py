"""Films written box by box, with the places where cameras write where they were."""

import struct

from resources.tests.nettoyage.fichiers import SECRET, XMP

AVC = b"\1\x42\0\x1e\xff\xe1\0\0\1\0\0"
HEVC = bytes(21) + b"\xff\0"


def boite(genre: bytes, *contenus: bytes) -> bytes:
    contenu = b"".join(contenus)
    return struct.pack(">I", len(contenu) + 8) + genre + contenu


def pleine(genre: bytes, *contenus: bytes, drapeaux: int = 0) -> bytes:
    return boite(genre, struct.pack(">I", drapeaux), *contenus)


def unite(contenu: bytes) -> bytes:
    """One NAL unit."""
    return struct.pack(">I", len(contenu)) + contenu


def sei(contenu: bytes, genre: int = 5) -> bytes:
    """An H.264 unit with one message of user data."""
    return unite(b"\6" + bytes([genre, len(contenu) + 16]) + b"U" * 16 + contenu + b"\x80")


IMAGE = unite(b"\x65" + bytes(range(1, 200)))
IMAGES = [sei(SECRET) + IMAGE, IMAGE, unite(b"\x41" + b"p" * 40)]
SONS = [b"\x21" + b"s" * 30, b"\x21" + b"t" * 50]
PLACES = [b"DEVC" + SECRET, b"STRM" + SECRET]


def description(genre: bytes) -> bytes:
    if genre in (b"avc1", b"hvc1"):
        nom = bytes([len(SECRET)]) + SECRET
        corps = bytes(6) + b"\0\1" + bytes(4) + b"appl" + bytes(8) + struct.pack(">HH", 96, 64) + bytes(14)
        configuration = boite(b"avcC", AVC) if genre == b"avc1" else boite(b"hvcC", HEVC)
        return boite(genre, corps, nom.ljust(32, b"\0"), b"\0\x18\xff\xff", configuration, boite(b"uuid", SECRET))
    if genre == b"mp4a":
        return boite(
            genre, bytes(6), b"\0\1", bytes(8), struct.pack(">HHHHI", 2, 16, 0, 0, 48000 << 16), boite(b"esds", b"e")
        )
    return boite(genre, bytes(6), b"\0\1", SECRET)


class Piste:
    def __init__(self, numero: int, genre: bytes, codec: bytes, morceaux: list[bytes]) -> None:
        self.numero, self.genre, self.codec, self.morceaux = numero, genre, codec, morceaux

    def ecrire(self, debut: int, *, fragmente: bool = False) -> bytes:
        tailles = [] if fragmente else [len(morceau) for morceau in self.morceaux]
        dates = struct.pack(">II", 3_900_000_000, 3_900_000_000)
        nombre = len(tailles)
        table = boite(
            b"stbl",
            pleine(b"stsd", struct.pack(">I", 1), description(self.codec)),
            pleine(b"stts", struct.pack(">III", 1, nombre, 1)),
            pleine(b"stsc", *([struct.pack(">IIII", 1, 1, nombre, 1)] if nombre else [bytes(4)])),
            pleine(b"stsz", struct.pack(f">II{nombre}I", 0, nombre, *tailles)),
            pleine(b"stco", struct.pack(">II", 1, debut) if nombre else bytes(4)),
        )
        reference = pleine(b"dref", struct.pack(">I", 1), pleine(b"url ", SECRET))
        media = boite(
            b"mdia",
            pleine(b"mdhd", dates, struct.pack(">IIHH", 1000, 3000, 0x55C4, 0)),
            pleine(b"hdlr", b"mhlr", self.genre, b"appl" + bytes(8), SECRET + b"\0"),
            boite(b"minf", pleine(b"vmhd", bytes(8)), boite(b"dinf", reference), table),
        )
        entete = pleine(b"tkhd", dates, struct.pack(">I", self.numero), bytes(68), drapeaux=3)
        return boite(b"trak", entete, media, boite(b"udta", boite(b"name", SECRET)), boite(b"meta", SECRET))


def pistes() -> list[Piste]:
    return [
        Piste(1, b"vide", b"avc1", IMAGES),
        Piste(2, b"soun", b"mp4a", SONS),
        Piste(3, b"meta", b"gpmd", PLACES),
        Piste(4, b"sbtl", b"tx3g", PLACES),
    ]


def _moov(parties: list[Piste], debuts: list[int], *, fragmente: bool = False) -> bytes:
    dates = struct.pack(">II", 3_900_000_000, 3_900_000_000)
    suite = boite(b"mvex", *(pleine(b"trex", struct.pack(">5I", p.numero, 1, 1, 0, 0)) for p in parties))
    return boite(
        b"moov",
        pleine(b"mvhd", dates, struct.pack(">II", 1000, 3000), bytes(76), struct.pack(">I", 9)),
        *(p.ecrire(d, fragmente=fragmente) for p, d in zip(parties, debuts, strict=True)),
        boite(b"udta", boite(b"\xa9xyz", SECRET), boite(b"meta", SECRET)),
        boite(b"uuid", b"u" * 16, SECRET),
        boite(b"gps ", SECRET),
        suite if fragmente else b"",
    )


def film(marque: bytes = b"isom", *, moov_devant: bool = False, parties: list[Piste] | None = None) -> bytes:
    """Tracks of picture, sound, positions and subtitles, and a block of positions between their samples."""
    parties = pistes() if parties is None else parties
    tete = boite(b"ftyp", marque, b"\0\0\2\0", b"isom", b"CAEP") + boite(b"free", b"freeGPS " + SECRET)
    donnees, places = b"GPS0" + SECRET, []
    for partie in parties:
        places.append(len(donnees))
        donnees += b"".join(partie.morceaux) + b"freeGPS " + SECRET
    queue = boite(b"uuid", b"\xbez\xcf\xcb\x97\xa9B\xe8\x9cq\x99\x94\x91\xe3\xaf\xac", XMP)
    decalage = len(tete) + 8 + (len(_moov(parties, places)) if moov_devant else 0)
    moov, mdat = _moov(parties, [decalage + place for place in places]), boite(b"mdat", donnees)
    return tete + (moov + mdat if moov_devant else mdat + moov) + queue


def film_fragmente() -> bytes:
    parties = pistes()[:3]
    octets = boite(b"ftyp", b"iso5", bytes(4), b"iso5") + _moov(parties, [0, 0, 0], fragmente=True)
    for _ in range(2):
        donnees, places = b"", []
        for partie in parties:
            places.append(len(donnees))
            donnees += b"".join(partie.morceaux)
        longueur = len(_moof(parties, places, 0))
        octets += boite(b"emsg", SECRET) + _moof(parties, places, longueur + 8) + boite(b"mdat", donnees + SECRET)
    return octets


def _moof(parties: list[Piste], places: list[int], decalage: int) -> bytes:
    trafs = []
    for partie, place in zip(parties, places, strict=True):
        tailles = [len(morceau) for morceau in partie.morceaux]
        serie = struct.pack(f">Ii{len(tailles)}I", len(tailles), decalage + place, *tailles)
        entete = pleine(b"tfhd", struct.pack(">I", partie.numero), drapeaux=0x20000)
        trafs.append(boite(b"traf", entete, pleine(b"trun", serie, drapeaux=0x201), boite(b"uuid", SECRET)))
    return boite(b"moof", pleine(b"mfhd", bytes(4)), *trafs)
