"""Messages inside coded pictures (SEI of H.264 and H.265): those that makers fill as they please.

Cameras of cars and drones write places there. A unit that holds such a message becomes filling of the same length,
a message that the standards reserve for that, so no offset moves and every player steps over it.
"""

from collections.abc import Iterator, Sequence

from resources.nettoyage.pistes import Piste
from resources.nettoyage.refus import Refuse

_LIBRES = {4, 5}  # registered and unregistered user data
_REMPLISSAGE = 3
_UNITES_AVC, _UNITES_HEVC = {6}, {39, 40}


def effacer(tampon: bytearray, debut: int, tailles: Sequence[int], piste: Piste) -> None:
    for taille in tailles:
        fin = debut + taille
        while debut + piste.longueur_nal < fin:
            entete = debut + piste.longueur_nal
            suite = entete + int.from_bytes(tampon[debut:entete])
            if suite > fin:
                raise Refuse
            corps = _corps(tampon, entete, piste)
            if corps and corps < suite and any(genre in _LIBRES for genre in _messages(tampon, corps, suite)):
                tampon[corps:suite] = _remplissage(suite - corps)
            debut = suite
        debut = fin


def _corps(tampon: bytearray, entete: int, piste: Piste) -> int:
    """Offset of the messages of this unit; 0 where it holds none."""
    if piste.hevc:
        return entete + 2 if tampon[entete] >> 1 & 0x3F in _UNITES_HEVC else 0
    return entete + 1 if tampon[entete] & 0x1F in _UNITES_AVC else 0


def _messages(tampon: bytearray, debut: int, fin: int) -> Iterator[int]:
    """The types of the messages; the bytes that keep start codes away are skipped first."""
    octets = bytes(tampon[debut:fin]).replace(b"\0\0\3", b"\0\0")
    position = 0
    while position + 2 < len(octets):
        nombres = []
        for _ in range(2):
            nombre = 0
            while position < len(octets) and octets[position] == 0xFF:
                nombre, position = nombre + 0xFF, position + 1
            nombres.append(nombre + (octets[position] if position < len(octets) else 0))
            position += 1
        yield nombres[0]
        position += nombres[1]


def _remplissage(longueur: int) -> bytes:
    """Filling messages that take exactly that many bytes, their end mark included."""
    # A message of n bytes takes n, one for its type and one for each 255 of its length and the rest.
    tete = b""
    taille = longueur - 3 - (longueur - 3) // 256
    if longueur < 3:
        return bytes([0x80]) * longueur
    if taille + taille // 255 + 3 != longueur:
        tete, longueur = bytes([_REMPLISSAGE, 0]), longueur - 2
        taille = longueur - 3 - (longueur - 3) // 256
    longueurs = b"\xff" * (taille // 255) + bytes([taille % 255])
    return tete + bytes([_REMPLISSAGE]) + longueurs + b"\xff" * taille + b"\x80"
