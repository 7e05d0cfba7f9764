"""A file name that is safe to show, to store in a header and to open: no path, no control, no direction tricks."""

import re
import unicodedata
from itertools import chain
from uuid import UUID

from resources.vocabulaire import DEVENUES, EXTENSIONS, SUFFIXES_COURANTS, TYPES_SERVIS
from socle.domaine.identite import sans_guest_ids
from socle.domaine.saisie import montre, sur_une_ligne

LONGUEUR = 150
_RESERVES = re.compile(r'[/\\:*?"<>|]+')
_EXTENSION = re.compile("[A-Za-z0-9]{1,10}")
_CONNUES = frozenset((*DEVENUES, *SUFFIXES_COURANTS, *chain.from_iterable(EXTENSIONS.values())))
_APPAREILS = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def nom_sur(brut: str, type_mime: str, *, nettoye: bool = True) -> str:
    """The name with an extension that its type deserves; a guest id in it is masked, since it opens a case.

    `nettoye`: a file that cleaning has made into another takes the extension of that.
    """
    brut = brut.replace("\\", "/").rpartition("/")[2]
    visible = "".join(c for c in unicodedata.normalize("NFC", brut) if not unicodedata.category(c).startswith("C"))
    ligne = sur_une_ligne(" ".join(_RESERVES.sub("_", sans_guest_ids(visible)).split()))
    propre = ligne.strip(". ")
    if ligne.startswith(".") and _est_une_extension(propre, cachee=brut.startswith(".")):
        propre = f"fichier.{propre}"
    racine, extension = _separer(propre)
    admises = EXTENSIONS.get(type_mime) if nettoye or type_mime in TYPES_SERVIS else None
    if admises and extension.lower() not in admises:
        devenue = DEVENUES.get(extension.lower())
        racine, extension = (racine, devenue) if devenue in admises else (propre, admises[0])
    racine = racine[: LONGUEUR - len(extension)].strip(". ")
    if not montre(racine):
        racine = "fichier"
    if _APPAREILS.fullmatch(racine):
        racine = f"_{racine}"
    return f"{racine}{extension}"


def _est_une_extension(seule: str, *, cachee: bool) -> bool:
    """True for an extension after a dot with nothing shown before; `cachee`: nothing is there, as in .htaccess."""
    return _EXTENSION.fullmatch(seule) is not None and (not cachee or f".{seule.lower()}" in _CONNUES)


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
    if point and racine and _EXTENSION.fullmatch(suffixe):
        return racine, f".{suffixe}"
    return nom, ""
