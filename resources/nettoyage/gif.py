"""GIF: the blocks that draw, and how often they loop; no comment, no text, no data of a program."""

from resources.nettoyage.bornes import Bornes
from resources.nettoyage.refus import Refuse

_TETE = 13
_IMAGE, _EXTENSION, _FIN = 0x2C, 0x21, 0x3B
_CONTROLE, _APPLICATION = 0xF9, 0xFF
_BOUCLES = (b"NETSCAPE2.0", b"ANIMEXTS1.0")


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    bornes.verifier(int.from_bytes(octets[6:8], "little"), int.from_bytes(octets[8:10], "little"))
    position = _TETE + _palette(octets, 10)
    morceaux, images = [octets[:position]], 0
    while (genre := _octet(octets, position)) != _FIN:
        fin = _fin(octets, position)
        images += genre == _IMAGE
        if images > bornes.images:
            raise Refuse
        if genre == _IMAGE or _sert(octets, position):
            morceaux.append(octets[position:fin])
        position = fin
    if not images:
        raise Refuse
    return b"".join([*morceaux, b";"])


def _octet(octets: bytes, position: int) -> int:
    if position >= len(octets):
        raise Refuse
    return octets[position]


def _palette(octets: bytes, position: int) -> int:
    drapeaux = _octet(octets, position)
    return 3 << (drapeaux & 7) + 1 if drapeaux & 0x80 else 0


def _sert(octets: bytes, position: int) -> bool:
    etiquette = _octet(octets, position + 1)
    boucle = etiquette == _APPLICATION and octets[position + 3 : position + 14] in _BOUCLES
    return etiquette == _CONTROLE or (boucle and octets[position + 14 : position + 15] == b"\3")


def _fin(octets: bytes, position: int) -> int:
    """End offset of the block that begins here."""
    genre = octets[position]
    if genre == _IMAGE:
        position += 11 + _palette(octets, position + 9)  # its place, its colours, the size of its codes
    elif genre == _EXTENSION:
        position += 2
    else:
        raise Refuse
    while longueur := _octet(octets, position):
        position += 1 + longueur
    return position + 1
