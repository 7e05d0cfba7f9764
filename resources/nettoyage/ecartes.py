"""Files sent by mistake or to harm: a program, or a file that only leads to a document. Its bytes say it first.

Its name says it of a text, or of bytes that nothing here knows: a script is a text like any other. A photo named as a
program is a photo, and a program inside an archive stays there.
"""

import json
import plistlib
import re
import unicodedata
from os import SEEK_END
from pathlib import PurePath
from typing import IO

from resources.nettoyage import genres
from socle.domaine.saisie import sans_invisibles

PROGRAMME, LIEN = "programme", "lien"
_GENRES = {"application/x-executable", "application/java-archive", "text/x-shellscript"}
_WINDOWS = "application/vnd.microsoft.portable-executable"
_DEBUTS = (
    *(b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"),
    *(b"\xca\xfe\xd0\x0d", b"dex\n0", b"\0asm", b"Cr24", b"xar!", b"!<arch>\ndebian", b"\xed\xab\xee\xdb"),
)
_RACCOURCIS = (b"L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F", b"book\0\0\0\0mark\0\0\0\0")
# « notes vocales.app », « course.run »: an application of such a name is a folder, or begins as a script.
_DE_DOSSIERS = frozenset((".app", ".run"))
# Entries of an archive that a telephone or Windows installs.
_PAQUETS = (b"AndroidManifest.xml", b"classes.dex", b"AppxManifest.xml")
_MSI = b"\x84\x10\x0c\0\0\0\0\0\xc0\0\0\0\0\0\0F"
_LIENS_EN_TEXTE = (b"[internetshortcut]", b"[desktop entry]")
_SCRIPTS = frozenset(
    {
        *(".bat", ".cmd", ".ps1", ".psm1", ".psd1", ".sh", ".bash", ".zsh", ".command", ".vbs", ".vbe", ".js", ".jse"),
        *(".mjs", ".wsf", ".wsh", ".hta", ".scf", ".reg", ".inf", ".jnlp", ".applescript", ".scpt", ".py", ".pyw"),
        *(".pl", ".rb", ".php", ".vb", ".wsc", ".sct", ".msc", ".application", ".appref-ms", ".settingcontent-ms"),
        *(".library-ms", ".mobileconfig"),
    }
)
_PROGRAMMES = _SCRIPTS | {
    *(".exe", ".com", ".scr", ".pif", ".dll", ".cpl", ".sys", ".msi", ".msp", ".mst", ".msix", ".appx", ".jar", ".apk"),
    *(".xapk", ".ipa", ".app", ".dmg", ".pkg", ".deb", ".rpm", ".appimage", ".run", ".elf", ".so", ".dylib", ".gadget"),
    *(".chm", ".pyc", ".aab", ".xpi"),
}
_LIENS = frozenset(
    {
        *(
            ".gdoc",
            ".gsheet",
            ".gslides",
            ".gdraw",
            ".gform",
            ".gmap",
            ".gsite",
            ".glink",
            ".gjam",
            ".gtable",
            ".gnote",
        ),
        *(".webloc", ".inetloc", ".fileloc", ".url", ".website", ".desktop", ".lnk", ".icloud", ".paper", ".papert"),
    }
)
_LIEN_MAX = 1 << 14
_SECTION_D_UN_LIEN = b"[{000214A0-0000-0000-C000-000000000046}]"
_CLE_D_UN_LIEN = re.compile(rb"^(?:(?:Base)?URL|Exec|Prop3)\s*=", re.IGNORECASE | re.MULTILINE)
_CLES_DE_DRIVE = frozenset(("", "url", "doc_id", "resource_id", "resource_key", "email"))
_CLES_MAX = 3  # of a link of a Mac


def ecarter(contenu: IO[bytes], genre: str, nom: str) -> str | None:
    """PROGRAMME, LIEN, or None for anything else; `genre` is what its bytes were told to be."""
    contenu.seek(0)
    debut = contenu.read(genres.DEBUT)
    if debut.startswith(_RACCOURCIS) or _mene_ailleurs(debut):
        return LIEN
    if genre in _GENRES or debut.startswith(_DEBUTS) or (genre == _WINDOWS and not _est_un_texte(debut)):
        return PROGRAMME
    if genre == "application/zip":
        return PROGRAMME if _est_un_paquet(contenu, debut, nom) else None
    if genre == genres.OLE:
        return PROGRAMME if _est_un_msi(contenu, debut) else None
    return _par_son_nom(debut, genre, nom)


def _par_son_nom(debut: bytes, genre: str, nom: str) -> str | None:
    suffixe = _suffixe(nom)
    texte = genre.startswith("text/") or _est_un_texte(debut)
    if suffixe in _LIENS and (texte or genre == genres.BINAIRE):
        return LIEN
    if (texte and suffixe in _SCRIPTS) or (genre == genres.BINAIRE and suffixe in _PROGRAMMES - _DE_DOSSIERS):
        return PROGRAMME
    return None


def _suffixe(nom: str) -> str:
    """As a computer would read the name once it is on its disk: compatible forms plain, nothing unseen at its end."""
    lisible = sans_invisibles(unicodedata.normalize("NFKC", sans_invisibles(nom)))
    return PurePath(lisible.partition("::")[0].rstrip(". \t")).suffix.lower()


def _est_un_texte(debut: bytes) -> bool:
    return genres.est_un_texte(debut)


def _mene_ailleurs(debut: bytes) -> bool:
    """A shortcut of Windows or Linux, of a Mac, or what Google Drive leaves in place of a document."""
    if len(debut) > _LIEN_MAX:
        return False
    texte = debut.removeprefix(b"\xef\xbb\xbf").lstrip()
    if texte[:20].lower().startswith(_LIENS_EN_TEXTE) or texte.startswith(_SECTION_D_UN_LIEN):
        return _CLE_D_UN_LIEN.search(texte) is not None
    if texte.startswith(b"{"):
        return _est_un_lien_de_drive(texte)
    if not (texte.startswith((b"bplist", b"<?xml", b"<!DOCTYPE plist", b"<plist"))):
        return False
    try:
        lu = plistlib.loads(texte)
    except Exception:  # whatever the library raises on bytes that it does not understand
        return False
    return isinstance(lu, dict) and ("URL" in lu or "NSURLNameKey" in lu) and len(lu) <= _CLES_MAX


def _est_un_lien_de_drive(texte: bytes) -> bool:
    """Nothing in it but where the document is: an export of messages has an address too."""
    try:
        lu = json.loads(texte)
    except ValueError:
        return False
    if not isinstance(lu, dict) or not lu.keys() & {"doc_id", "resource_id"} or not lu.keys() <= _CLES_DE_DRIVE:
        return False
    return "google.com/" in str(lu["url"]) if "url" in lu else "" in lu


def _est_un_paquet(contenu: IO[bytes], debut: bytes, nom: str) -> bool:
    taille = contenu.seek(0, SEEK_END)
    contenu.seek(max(0, taille - genres.DEBUT))
    fin = contenu.read(genres.DEBUT)
    if any(genres.a_l_entree(debut, fin, paquet) for paquet in _PAQUETS):
        return True
    return _suffixe(nom) in _PROGRAMMES - _DE_DOSSIERS - {".com"} or genres.a_l_entree(debut, fin, b"/Contents/MacOS/")


def _est_un_msi(contenu: IO[bytes], debut: bytes) -> bool:
    """The class of its root: the first entry of its directory, whose sector the header names."""
    secteur = int.from_bytes(debut[48:52], "little") + 1
    contenu.seek((secteur << min(12, int.from_bytes(debut[30:32], "little"))) + 80)
    return contenu.read(16) == _MSI
