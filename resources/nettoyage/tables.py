"""Byte ranges of the samples of a track, by its tables or those of a fragment."""

import struct
import sys
from array import array
from collections.abc import Iterator, Sequence

from resources.nettoyage.boites import Boite
from resources.nettoyage.pistes import Piste
from resources.nettoyage.refus import Refuse

# (offset of a run of samples, their sizes)
Plage = tuple[int, Sequence[int]]


def _nombres(tampon: bytearray, boite: Boite, debut: int, nombre: int, code: str = "I") -> "array[int]":
    """Big-endian numbers of a table, which must all be in its box."""
    nombres = array(code)
    nombres.frombytes(tampon[debut : boite.dans(debut + nombre * nombres.itemsize)])
    if sys.byteorder == "little":
        nombres.byteswap()
    return nombres


def _entier(tampon: bytearray, boite: Boite, position: int) -> int:
    return int.from_bytes(tampon[position : boite.dans(position + 4)])


def _tailles(tampon: bytearray, table: Boite) -> tuple[int, Sequence[int]]:
    """Return `(common size, ())`, or `(0, size of each sample)`."""
    if compactes := table.toutes(b"stz2"):
        boite = compactes[0]
        bits, nombre = tampon[boite.dans(boite.corps + 8) - 1], _entier(tampon, boite, boite.corps + 8)
        octets = tampon[boite.corps + 12 : boite.dans(boite.corps + 12 + -(-nombre * bits // 8))]
        if bits == 4:
            return 0, [n for octet in octets for n in (octet >> 4, octet & 15)][:nombre]
        if bits == 8:
            return 0, bytes(octets)
        return 0, _nombres(tampon, boite, boite.corps + 12, nombre, "H")
    boite = table.une(b"stsz")
    commune, nombre = _entier(tampon, boite, boite.corps + 4), _entier(tampon, boite, boite.corps + 8)
    return commune, () if commune else _nombres(tampon, boite, boite.corps + 12, nombre)


def _places(tampon: bytearray, table: Boite) -> "array[int]":
    for genre, code in ((b"stco", "I"), (b"co64", "Q")):
        if table.toutes(genre):
            boite = table.une(genre)
            return _nombres(tampon, boite, boite.corps + 8, _entier(tampon, boite, boite.corps + 4), code)
    raise Refuse


def _par_morceau(tampon: bytearray, table: Boite, morceaux: int) -> Iterator[int]:
    """Yield the number of samples of each chunk."""
    boite = table.une(b"stsc")
    regles = _nombres(tampon, boite, boite.corps + 8, 3 * _entier(tampon, boite, boite.corps + 4))
    debuts = [*regles[::3], morceaux + 1]
    if morceaux and debuts[0] != 1:
        raise Refuse
    for rang, nombre in enumerate(regles[1::3]):
        for _ in range(debuts[rang], min(debuts[rang + 1], morceaux + 1)):
            yield nombre


def plages(tampon: bytearray, piste: Piste) -> Iterator[Plage]:
    commune, tailles = _tailles(tampon, piste.table)
    places, rang = _places(tampon, piste.table), 0
    for debut, nombre in zip(places, _par_morceau(tampon, piste.table, len(places)), strict=False):
        if not commune:
            yield debut, tailles[rang : rang + nombre]
            rang += nombre
        else:
            # Older sound tables count a sample as one byte, whatever it takes.
            taille = max(commune, piste.minimum) if commune == 1 else commune
            yield debut, _egales(nombre, taille, len(tampon) if piste.longueur_nal else 0)


def _egales(nombre: int, taille: int, un_par_un: int) -> Sequence[int]:
    """Sizes of equal samples: one each where they will be looked into (Refuse past `un_par_un` bytes), else one run."""
    if not un_par_un:
        return (nombre * taille,)
    if nombre * taille > un_par_un:
        raise Refuse
    return [taille] * nombre


def defauts(tampon: bytearray, boites: list[Boite]) -> dict[int, int]:
    """Track number -> size of a sample where a fragment gives none."""
    tailles = {}
    for boite in boites:
        numero, _, _, taille = struct.unpack_from(">4I", tampon, boite.dans(boite.corps + 24) - 20)
        tailles[numero] = taille
    return tailles


class Fragment:
    """A `traf`: `fin` is where its data end, which is where those of the next one may begin."""

    _BASE, _DESCRIPTION, _DUREE, _TAILLE, _MOOF = 1, 2, 8, 16, 0x20000
    _DECALAGE, _PREMIER, _PAR_ECHANTILLON, _TAILLES = 1, 4, (0x100, 0x200, 0x400, 0x800), 0x200

    def __init__(self, tampon: bytearray, moof: Boite, traf: Boite, tailles: dict[int, int], precedente: int) -> None:
        tfhd = traf.une(b"tfhd")
        drapeaux = _entier(tampon, tfhd, tfhd.corps) & 0xFFFFFF
        self._tampon, self._traf, position = tampon, traf, tfhd.corps + 8
        self.numero = _entier(tampon, tfhd, tfhd.corps + 4)
        self._base = moof.debut if drapeaux & self._MOOF else precedente
        if drapeaux & self._BASE:
            self._base = int.from_bytes(tampon[position : tfhd.dans(position + 8)])
            position += 8
        position += 4 * (bool(drapeaux & self._DESCRIPTION) + bool(drapeaux & self._DUREE))
        self._defaut = _entier(tampon, tfhd, position) if drapeaux & self._TAILLE else tailles.get(self.numero, 0)
        self.fin = self._base

    def plages(self, *, une_par_une: bool) -> Iterator[Plage]:
        for trun in self._traf.toutes(b"trun"):
            yield self._serie(trun, une_par_une=une_par_une)

    def _serie(self, trun: Boite, *, une_par_une: bool) -> Plage:
        tampon, position = self._tampon, trun.corps + 8
        drapeaux = _entier(tampon, trun, trun.corps) & 0xFFFFFF
        nombre = _entier(tampon, trun, trun.corps + 4)
        debut = self.fin
        if drapeaux & self._DECALAGE:
            debut = self._base + int.from_bytes(tampon[position : trun.dans(position + 4)], signed=True)
            position += 4
        position += 4 * bool(drapeaux & self._PREMIER)
        if debut < 0:
            raise Refuse
        champs = [champ for champ in self._PAR_ECHANTILLON if drapeaux & champ]
        tailles: Sequence[int]
        if drapeaux & self._TAILLES:
            tous = _nombres(tampon, trun, position, nombre * len(champs))
            tailles = tous[champs.index(self._TAILLES) :: len(champs)]
        else:
            tailles = _egales(nombre, self._defaut, len(tampon) if une_par_une else 0)
        self.fin = debut + sum(tailles)
        return debut, tailles
