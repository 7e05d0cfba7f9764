"""The one thing read from EXIF before it is thrown away: how to turn the picture."""

import struct

_ORIENTATION = 0x0112


def orientation(tiff: bytes) -> int:
    """Read the orientation tag, 1 to 8; 1, no turn, where the block is absent or makes no sense."""
    ordre = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if ordre is None or len(tiff) < 8:
        return 1
    repertoire = struct.unpack_from(f"{ordre}I", tiff, 4)[0]
    if repertoire + 2 > len(tiff):
        return 1
    entrees = struct.unpack_from(f"{ordre}H", tiff, repertoire)[0]
    for position in range(repertoire + 2, min(repertoire + 2 + 12 * entrees, len(tiff) - 11), 12):
        cle, genre, nombre, valeur = struct.unpack_from(f"{ordre}HHIH", tiff, position)
        if cle == _ORIENTATION:
            return valeur if (genre, nombre) == (3, 1) and 1 <= valeur <= 8 else 1
    return 1
