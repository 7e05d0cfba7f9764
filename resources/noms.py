"""A file name that is safe to show, to store in a header and to open: no path, no control, no direction tricks."""

import re
import unicodedata
from uuid import UUID

from resources.vocabulaire import DEVENUES, EXTENSIONS, SUFFIXES_COURANTS, TYPES_SERVIS
from socle.domaine.identite import sans_guest_ids

LONGUEUR = 150
_RESERVES = re.compile(r'[/\\:*?"<>|]+')
_APPAREILS = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def nom_sur(brut: str, type_mime: str, *, nettoye: bool = True) -> str:
    """The name with an extension that its type deserves; a guest id in it is masked, since it opens a case.

    `nettoye`: a file that cleaning has made into another takes the extension of that.
    """
    brut = brut.replace("\\", "/").rpartition("/")[2]
    visible = "".join(c for c in unicodedata.normalize("NFC", brut) if not unicodedata.category(c).startswith("C"))
    propre = " ".join(_RESERVES.sub("_", sans_guest_ids(visible)).split()).strip(". ")
    racine, extension = _separer(propre)
    admises = EXTENSIONS.get(type_mime) if nettoye or type_mime in TYPES_SERVIS else None
    if admises and extension.lower() not in admises:
        devenue = DEVENUES.get(extension.lower())
        racine, extension = (racine, devenue) if devenue in admises else (propre, admises[0])
    racine = racine[: LONGUEUR - len(extension)].strip(". ") or "fichier"
    if _APPAREILS.fullmatch(racine):
        racine = f"_{racine}"
    return f"{racine}{extension}"


def nom_neutre(pk: UUID, nom: str, type_mime: str) -> str:
    """`piece-` and eight hex digits, with the given extension where it is a common one: a name that says nothing."""
    suffixe = _separer(nom)[1].lower()
    connus = EXTENSIONS.get(type_mime, ())
    if suffixe not in connus and suffixe not in SUFFIXES_COURANTS:
        suffixe = connus[0] if connus else ""
    return f"piece-{pk.hex[:8]}{suffixe}"


def _separer(nom: str) -> tuple[str, str]:
    """`("photo", ".jpg")`; an extension is 1 to 10 letters or digits, empty otherwise."""
    racine, point, suffixe = nom.rpartition(".")
    if point and racine and re.fullmatch(r"[A-Za-z0-9]{1,10}", suffixe):
        return racine, f".{suffixe}"
    return nom, ""
