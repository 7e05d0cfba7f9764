"""Data connections of a workbook: as many as it had, each of its kind, and nothing of where they led.

A pivot table names the connection of its data by number, so a workbook without them would be said to be damaged.
"""

from xml.sax.saxutils import quoteattr

from resources.nettoyage import balises

_TETE = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_ESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OLE_DB = "5"
# What a connection of this kind holds; any other kind becomes a data base.
_DEDANS = {
    **dict.fromkeys(("1", "2", "3", _OLE_DB), '<dbPr connection="" command=""/>'),
    "4": "<webPr/>",
    "6": "<textPr/>",
}


def recrire(octets: bytes) -> bytes:
    lignes: list[str] = []
    for nom, attributs in balises.elements(octets):
        if nom == "connection" and attributs.get("id", "").isdecimal():  # an extension has one too, told by its name
            rang, genre = len(lignes) + 1, attributs.get("type", "")
            genre = genre if genre in _DEDANS else _OLE_DB
            lignes.append(
                f'<connection id={quoteattr(attributs["id"])} name="Connexion {rang}" type="{genre}" '
                f'refreshedVersion="0" background="1">{_DEDANS[genre]}</connection>'
            )
    return _TETE + f'<connections xmlns="{_ESPACE}">{"".join(lignes)}</connections>'.encode()
