"""Colour profiles: the numbers of a known space in a profile of our own, or nothing.

A profile names the screen or the scanner that it was measured on, its serial number, a date, and holds free text.
Dropping it would dull the photos of phones that record a wider space than sRGB. So a profile whose primaries are
those of a known space is replaced by ours, the same for everybody, and any other is dropped, which means sRGB.
"""

import struct

_XYZ = ("rXYZ", "gXYZ", "bXYZ")
# Primaries adapted to D50, and the exponent of the curve (0: that of sRGB).
_ESPACES = {
    "Display P3": (((0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)), 0.0),
    "Adobe RGB": (((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457)), 2.19921875),
}
_BLANC = (0.9642, 1.0, 0.8249)
_TOLERANCE = 0.002
_SRGB = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
_PROFIL_MAX = 1 << 20


def remplacer(profil: bytes) -> bytes:
    """Our profile of the same space, or nothing."""
    mesures = _primaires(profil) if len(profil) <= _PROFIL_MAX else None
    if mesures is None:
        return b""
    for nom, (primaires, exposant) in _ESPACES.items():
        ecarts = (abs(a - b) for x, y in zip(mesures, primaires, strict=True) for a, b in zip(x, y, strict=True))
        if max(ecarts) < _TOLERANCE:
            return _construire(nom, primaires, exposant)
    return b""


def _primaires(profil: bytes) -> list[tuple[float, ...]] | None:
    if len(profil) < 132 or profil[16:20] != b"RGB " or profil[36:40] != b"acsp":
        return None
    places = {}
    for n in range(min(int.from_bytes(profil[128:132]), 100)):
        etiquette = profil[132 + 12 * n : 144 + 12 * n]
        places[etiquette[:4]] = int.from_bytes(etiquette[4:8])
    valeurs = [profil[places.get(nom.encode(), len(profil)) :][:20] for nom in _XYZ]
    if any(len(valeur) < 20 or valeur[:4] != b"XYZ " for valeur in valeurs):
        return None
    return [tuple(n / 65536 for n in struct.unpack(">3i", valeur[8:])) for valeur in valeurs]


def _construire(nom: str, primaires: tuple[tuple[float, ...], ...], exposant: float) -> bytes:
    etiquettes = {
        "desc": _texte(nom),
        "cprt": _texte("CC0"),
        "wtpt": _xyz(_BLANC),
        **{cle: _xyz(valeur) for cle, valeur in zip(_XYZ, primaires, strict=True)},
        **dict.fromkeys(("rTRC", "gTRC", "bTRC"), _courbe(exposant)),
    }
    table, corps = struct.pack(">I", len(etiquettes)), b""
    debut = 128 + 4 + 12 * len(etiquettes)
    for cle, valeur in etiquettes.items():
        table += struct.pack(">4sII", cle.encode(), debut + len(corps), len(valeur))
        corps += valeur + bytes(-len(valeur) % 4)
    tete = struct.pack(">II4s4s4s4s", debut + len(corps), 0, b"\4\x30\0\0", b"mntr", b"RGB ", b"XYZ ") + bytes(12)
    tete += b"acsp" + bytes(28) + b"".join(_s15(n) for n in _BLANC)
    return tete.ljust(128, b"\0") + table + corps


def _s15(nombre: float) -> bytes:
    return struct.pack(">i", round(nombre * 65536))


def _xyz(valeurs: tuple[float, ...]) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(_s15(n) for n in valeurs)


def _courbe(exposant: float) -> bytes:
    nombres = (exposant,) if exposant else _SRGB
    return b"para\0\0\0\0" + struct.pack(">HH", 0 if exposant else 3, 0) + b"".join(_s15(n) for n in nombres)


def _texte(texte: str) -> bytes:
    lettres = texte.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(lettres), 28) + lettres
