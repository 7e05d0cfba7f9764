"""One track: whether it stays, and its description without the names of makers."""

from resources.nettoyage.boites import Boite, Film
from resources.nettoyage.refus import Refuse

_AVC = {b"avc1", b"avc2", b"avc3", b"avc4"}
_HEVC = {b"hvc1", b"hev1", b"dvh1", b"dvhe"}
_IMAGES = {*_AVC, *_HEVC, b"vvc1", b"vvi1", b"av01", b"vp08", b"vp09", b"mp4v", b"s263", b"h263"}
_IMAGES |= {b"apch", b"apcn", b"apcs", b"apco", b"ap4h", b"ap4x"}
_SONS = {b"mp4a", b"samr", b"sawb", b"ac-3", b"ec-3", b"ac-4", b"Opus", b"fLaC", b"alac", b".mp3", b"ulaw", b"alaw"}
_SONS |= {b"sowt", b"twos", b"lpcm", b"ipcm", b"fpcm", b"in24", b"in32", b"fl32", b"fl64", b"raw ", b"ima4"}
# By handler: the codecs that stay, and where the boxes of a description begin, by its version.
_GENRES: dict[bytes, tuple[set[bytes], tuple[int, ...]]] = {b"vide": (_IMAGES, (86,)), b"soun": (_SONS, (36, 52, 72))}
_REGLAGES = {
    *(b"avcC", b"hvcC", b"lhvC", b"vvcC", b"av1C", b"vpcC", b"dvcC", b"dvvC", b"esds", b"d263", b"damr", b"dac3"),
    *(b"dec3", b"dac4", b"dOps", b"dfLa", b"alac", b"wave", b"chan", b"pcmC", b"srat", b"colr", b"pasp", b"clap"),
    *(b"fiel", b"btrt", b"mdcv", b"clli", b"gama"),
}
_CONFIGURATIONS = {b"avcC": 4, b"hvcC": 21}  # the byte that holds the length of the lengths


class Piste:
    __slots__ = ("hevc", "longueur_nal", "minimum", "numero", "table")

    def __init__(self, numero: int, table: Boite) -> None:
        self.numero, self.table = numero, table
        self.longueur_nal, self.hevc = 0, False
        self.minimum = 0  # bytes of one sound sample, where its table says one


def lire_piste(film: Film, trak: Boite) -> Piste | None:
    """Clean a track of picture or sound in a known coding, in place, and return it; None for any other."""
    tampon, entete, hdlr = film.tampon, trak.une(b"tkhd"), trak.une(b"mdia", b"hdlr")
    genre = bytes(tampon[hdlr.corps + 8 : hdlr.dans(hdlr.corps + 12)])
    if genre not in _GENRES:
        return None
    for boite in (hdlr, *trak.toutes(b"mdia", b"minf", b"hdlr")):
        film.zeros(boite.dans(boite.corps + 12), boite.fin)
    _references(film, trak)
    position = entete.corps + (20 if tampon[entete.corps] else 12)
    numero = int.from_bytes(tampon[position : entete.dans(position + 4)])
    piste = Piste(numero, trak.une(b"mdia", b"minf", b"stbl"))
    stsd = piste.table.une(b"stsd")
    descriptions = film.boites(stsd.dans(stsd.corps + 8), stsd.fin)
    permis, debuts = _GENRES[genre]
    if not descriptions or any(description.genre not in permis for description in descriptions):
        return None
    for description in descriptions:
        _decrire(film, description, piste, debuts)
    return piste


def _references(film: Film, trak: Boite) -> None:
    """Mark each data reference as self-contained and zero it: it may hold a path of the disk it was made on."""
    for dref in trak.toutes(b"mdia", b"minf", b"dinf", b"dref"):
        for boite in film.boites(dref.dans(dref.corps + 8), dref.fin):
            film.tampon[boite.dans(boite.corps + 4) - 1] = 1
            film.zeros(boite.corps + 4, boite.fin)


def _decrire(film: Film, description: Boite, piste: Piste, debuts: tuple[int, ...]) -> None:
    debut, tampon = description.debut, film.tampon
    version = int.from_bytes(tampon[debut + 16 : debut + 18]) if len(debuts) > 1 else 0
    if version >= len(debuts) or debut + debuts[version] > description.fin:
        raise Refuse
    film.zeros(debut + 20, debut + 24)  # the maker
    if len(debuts) == 1:
        film.zeros(debut + 50, debut + 82)  # the name of the coder
    else:
        canaux, bits = (int.from_bytes(tampon[debut + p : debut + p + 2]) for p in (24, 26))
        piste.minimum = max(piste.minimum, canaux * -(-bits // 8))
    for boite in film.boites(debut + debuts[version], description.fin):
        if boite.genre not in _REGLAGES:
            film.vider(boite)
        elif boite.genre in _CONFIGURATIONS:
            place = boite.corps + _CONFIGURATIONS[boite.genre]
            piste.longueur_nal = (tampon[boite.dans(place + 1) - 1] & 3) + 1
            piste.hevc = boite.genre == b"hvcC"
    if description.genre in _AVC | _HEVC and not piste.longueur_nal:
        raise Refuse
