"""ISO media (MP4, QuickTime, 3GPP, M4A): what plays the picture and the sound, and zeros everywhere else.

No byte changes place: a box that does not belong becomes `free` and empty, and the media data keep only the samples
of the tracks that stay. So a place goes wherever a device writes it: `udta`, `meta`, `uuid`, a track of positions or
of subtitles, blocks between the samples. Inside the samples, `sei` does the rest.
"""

from bisect import bisect_right
from collections.abc import Iterator

from resources.nettoyage import sei
from resources.nettoyage.boites import Boite, Film
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.pistes import Piste, lire_piste
from resources.nettoyage.refus import Refuse
from resources.nettoyage.tables import Fragment, Plage, defauts, plages

_MARQUES = {b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9", b"mp41", b"mp42", b"avc1"}
_MARQUES |= {b"dash", b"cmfc", b"cmf2", b"hvc1", b"av01", b"qt  ", b"M4A ", b"M4B ", b"M4V ", b"F4A ", b"F4V "}
_MARQUES |= {b"3gp4", b"3gp5", b"3gp6", b"3g2a", bytes(4)}
_DATES = {b"mvhd", b"tkhd", b"mdhd"}


def nettoyer(octets: bytes, _bornes: Bornes) -> bytearray:
    film = Film(octets)
    moov = film.racine.une(b"moov")
    for boite in film.racine.toutes(b"ftyp") + film.racine.toutes(b"styp"):
        _marques(film.tampon, boite)
    for parent in (moov, *moov.toutes(b"trak"), *moov.toutes(b"trak", b"mdia")):
        for boite in parent.enfants:
            if boite.genre in _DATES:
                _dates(film, boite)
    pistes = {}
    for boite in moov.toutes(b"trak"):
        if piste := lire_piste(film, boite):
            pistes[piste.numero] = piste
        else:
            film.vider(boite)
    if not pistes:
        raise Refuse
    _medias(film, _echantillons(film, moov, pistes))
    return film.tampon


def _marques(tampon: bytearray, boite: Boite) -> None:
    """Brands of makers become the common one; the version says nothing that a player needs."""
    for position in (boite.corps, *range(boite.corps + 8, boite.fin - 3, 4)):
        if bytes(tampon[position : position + 4]) not in _MARQUES:
            tampon[position : position + 4] = b"isom"
    tampon[boite.corps + 4 : boite.corps + 8] = bytes(4)


def _dates(film: Film, boite: Boite) -> None:
    largeur = 8 if film.tampon[boite.corps] else 4
    film.zeros(boite.corps + 4, boite.dans(boite.corps + 4 + 2 * largeur))


def _echantillons(film: Film, moov: Boite, pistes: dict[int, Piste]) -> Iterator[tuple[Piste, Plage]]:
    for piste in pistes.values():
        for plage in plages(film.tampon, piste):
            yield piste, plage
    tailles = defauts(film.tampon, moov.toutes(b"mvex", b"trex"))
    for moof in film.racine.toutes(b"moof"):
        fin = moof.debut
        for boite in moof.toutes(b"traf"):
            fragment = Fragment(film.tampon, moof, boite, tailles, fin)
            jouee = pistes.get(fragment.numero)
            series = list(fragment.plages(une_par_une=bool(jouee and jouee.longueur_nal)))
            fin = fragment.fin
            if jouee is None:
                film.vider(boite)
                continue
            for plage in series:
                yield jouee, plage


def _medias(film: Film, echantillons: Iterator[tuple[Piste, Plage]]) -> None:
    """Zero the media data, then copy back the samples of the kept tracks; Refuse samples outside of it."""
    medias = film.racine.toutes(b"mdat")
    debuts = [boite.corps for boite in medias]
    for boite in medias:
        film.zeros(boite.corps, boite.fin)
    for piste, (debut, tailles) in echantillons:
        fin, rang = debut + sum(tailles), bisect_right(debuts, debut) - 1
        if debut == fin:
            continue
        if rang >= 0 and piste.minimum:
            fin = min(fin, medias[rang].fin)  # the size of a sound sample may be a guess
        if rang < 0 or fin > medias[rang].fin:
            raise Refuse  # samples outside of the media data
        film.tampon[debut:fin] = film.source[debut:fin]
        if piste.longueur_nal:
            sei.effacer(film.tampon, debut, tailles, piste)
