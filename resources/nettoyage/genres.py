"""Type of a file, by its first bytes alone: neither its name nor the type that its sender declares counts."""

import codecs
from os import SEEK_END

TYPE_CHECKING = False  # that of `typing` would be loaded at each start of the child
if TYPE_CHECKING:
    from mmap import mmap
    from typing import IO

DEBUT = 1 << 16  # how much of a file is looked at, and of the end of an archive

JPEG, PNG, WEBP, PDF = "image/jpeg", "image/png", "image/webp", "application/pdf"
MP4, QUICKTIME, TROIS_GPP, M4A = "video/mp4", "video/quicktime", "video/3gpp", "audio/mp4"
HEIC, HEIF = "image/heic", "image/heif"
BINAIRE, TEXTE = "application/octet-stream", "text/plain"
OLE, _ZIP = "application/x-ole-storage", "application/zip"
_OOXML = "application/vnd.openxmlformats-officedocument."
DOCX, XLSX = f"{_OOXML}wordprocessingml.document", f"{_OOXML}spreadsheetml.sheet"
PPTX = f"{_OOXML}presentationml.presentation"
ODT, ODS, ODP, ODG = (
    f"application/vnd.oasis.opendocument.{genre}" for genre in ("text", "spreadsheet", "presentation", "graphics")
)
OTT, OTS, OTP, OTG = (f"{genre}-template" for genre in (ODT, ODS, ODP, ODG))

OOXML, ODF = frozenset({DOCX, XLSX, PPTX}), frozenset({ODT, ODS, ODP, ODG, OTT, OTS, OTP, OTG})
NETTOYES = frozenset({JPEG, PNG, WEBP, HEIC, HEIF, PDF, MP4, QUICKTIME, TROIS_GPP, M4A}) | OOXML | ODF
# What a file of this type becomes once it is cleaned; the others stay what they are.
DEVIENT = {HEIC: JPEG, HEIF: JPEG}
# Pictures that can carry a place and that nothing here cleans.
REFUSES = frozenset(
    {
        *("image/avif", "image/jxl", "image/jp2", "image/vnd.ms-photo", "image/tiff", "image/bpg"),
        *("image/x-canon-cr2", "image/x-canon-cr3", "image/x-canon-crw", "image/x-nikon-nef", "image/x-sony-arw"),
        *("image/x-adobe-dng", "image/x-pentax-pef", "image/x-panasonic-rw2", "image/x-olympus-orf"),
        *("image/x-fuji-raf", "image/x-sigma-x3f", "image/x-minolta-mrw", "image/vnd.adobe.photoshop"),
    }
)

_PREFIXES = (
    (b"\xff\xd8", JPEG),
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"FUJIFILMCCD-RAW", "image/x-fuji-raf"),
    (b"IIU\0", "image/x-panasonic-rw2"),
    (b"IIRO", "image/x-olympus-orf"),
    (b"IIRS", "image/x-olympus-orf"),
    (b"MMOR", "image/x-olympus-orf"),
    (b"II\x1a\0\0\0HEAPCCDR", "image/x-canon-crw"),
    (b"FOVb", "image/x-sigma-x3f"),
    (b"\0MRM", "image/x-minolta-mrw"),
    (b"II\xbc", "image/vnd.ms-photo"),
    (b"8BPS", "image/vnd.adobe.photoshop"),
    (b"BPG\xfb", "image/bpg"),
    (b"\xff\x0a", "image/jxl"),
    (b"\0\0\0\x0cJXL ", "image/jxl"),
    (b"\0\0\0\x0cjP  ", "image/jp2"),
    (b"\xff\x4f\xff\x51", "image/jp2"),
    (b"\0\0\x01\0", "image/vnd.microsoft.icon"),
    (b"\x1f\x8b", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (b"\x7fELF", "application/x-executable"),
    (b"MZ", "application/vnd.microsoft.portable-executable"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "application/ogg"),
    (b"fLaC", "audio/flac"),
    (b"#!AMR-WB", "audio/amr-wb"),
    (b"#!AMR", "audio/amr"),
)
_RIFF = {b"WEBP": WEBP, b"AVI ": "video/x-msvideo", b"WAVE": "audio/wav"}
_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
# Raw files are TIFF files: the maker, or a tag, tells which.
_DANS_UN_TIFF = (
    (b"\x12\xc6\x01\0\x04\0\0\0", "image/x-adobe-dng"),
    (b"\xc6\x12\0\x01\0\0\0\x04", "image/x-adobe-dng"),
    (b"NIKON", "image/x-nikon-nef"),
    (b"SONY", "image/x-sony-arw"),
    (b"PENTAX", "image/x-pentax-pef"),
)
_HEIF = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs"}
_IMAGES = {**dict.fromkeys(_HEIF, HEIC), b"avif": "image/avif", b"avis": "image/avif"}
_IMAGES |= {b"mif1": HEIF, b"msf1": HEIF, b"crx ": "image/x-canon-cr3"}
_FILMS = {b"qt  ": QUICKTIME, b"M4A ": M4A, b"M4B ": M4A, b"F4A ": M4A}
# First box of a QuickTime file older than `ftyp`, or of a fragment.
_BOITES = {b"moov", b"mdat", b"moof", b"wide", b"skip", b"free", b"pnot", b"styp", b"sidx", b"uuid", b"udta", b"meta"}
_BOITE_MAX = 1 << 26
_BOITES_MAX, _MOOV_MAX = 1_000, 1 << 24
_DANS_UN_ZIP = {b"word/": DOCX, b"xl/": XLSX, b"ppt/": PPTX, b"META-INF/MANIFEST.MF": "application/java-archive"}
_XLSB = b"xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroenabled.12"
# Signature of an entry, and how far behind it its name stands: where it lies, and in the table at the end.
_ENTREE, _TABLE = (b"PK\3\4", 30), (b"PK\1\2", 46)
_MIMETYPES = (*sorted(ODF), "application/epub+zip")
# The name, in the directory of an OLE file, of what a password closes: two bytes a letter, 64 in all, then its length.
_DOCUMENT_CHIFFRE = "EncryptedPackage".encode("utf-16-le").ljust(64, b"\0") + b"\x22\0"
_BALISES: tuple[bytes, ...] = (b"<!doctype html", b"<html", b"<head", b"<body", b"<script", b"<iframe", b"<style")
_BALISES += (b"<title", b"<table", b"<div", b"<h1", b"<font", b"<img", b"<a ", b"<p>", b"<b>", b"<br")
_CONTROLES = bytes(c for c in range(32) if c not in b"\t\n\x0b\x0c\r\x1b") + b"\x7f"


def du_fichier(contenu: "IO[bytes]") -> str:
    """The MIME type of this open file, from its start; its position is then anywhere."""
    debut = contenu.read(DEBUT)
    if not debut.startswith(b"PK"):
        genre = reconnaitre(debut)
        return M4A if genre == MP4 and _n_est_que_du_son(contenu) else genre
    taille = contenu.seek(0, SEEK_END)
    contenu.seek(max(0, taille - DEBUT))
    return reconnaitre(debut, contenu.read(DEBUT))


def _n_est_que_du_son(contenu: "IO[bytes]") -> bool:
    """True where a film has sound alone, whatever brand its recorder gave it: the handlers of its tracks say it."""
    position = 0
    for _ in range(_BOITES_MAX):
        contenu.seek(position)
        entete = contenu.read(16)
        taille, genre = int.from_bytes(entete[:4]), entete[4:8]
        taille = int.from_bytes(entete[8:16]) if taille == 1 else taille
        if genre == b"moov":
            contenu.seek(position)
            # What follows the name of a handler: four bytes of flags, four that are free, then its kind.
            pistes = {suite[8:12] for suite in contenu.read(min(taille or _MOOV_MAX, _MOOV_MAX)).split(b"hdlr")[1:]}
            return b"soun" in pistes and b"vide" not in pistes
        if taille < 8:
            return False
        position += taille
    return False


def est_un_document_chiffre(octets: "bytes | mmap") -> bool:
    """True for an OLE file that only wraps a document closed by a password."""
    return octets.find(_DOCUMENT_CHIFFRE) != -1


def reconnaitre(debut: bytes, fin: bytes = b"") -> str:
    """The MIME type of a file that begins, and for an archive ends, with these bytes (`DEBUT` of each are enough)."""
    genre = next((genre for prefixe, genre in _PREFIXES if debut.startswith(prefixe)), None)
    if genre := genre or _conteneur(debut, fin) or _boites(debut):
        return genre
    # Readers of PDF look for its mark in the first kilobyte, so a page or a script may hold one.
    if b"%PDF-" in debut[:1029]:
        return PDF
    if debut.startswith(b"BM") and debut[6:10] == bytes(4):
        return "image/bmp"
    return _texte(debut)


def _conteneur(debut: bytes, fin: bytes) -> str | None:
    if debut.startswith(_TIFF):
        return _tiff(debut)
    if debut.startswith(b"RIFF"):
        return _RIFF.get(debut[8:12])
    if debut.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm" if b"webm" in debut[:64] else "video/x-matroska"
    return _zip(debut, fin) if debut.startswith((b"PK\3\4", b"PK\5\6")) else None


def _tiff(debut: bytes) -> str:
    if debut[8:10] == b"CR":
        return "image/x-canon-cr2"
    return next((genre for marque, genre in _DANS_UN_TIFF if marque in debut), "image/tiff")


def _zip(debut: bytes, fin: bytes) -> str:
    if debut[30:38] == b"mimetype":
        return next((genre for genre in _MIMETYPES if debut.startswith(genre.encode() + b"PK", 38)), _ZIP)
    # The first name that says it: another document may lie inside this one.
    for octets, ou in ((debut, _ENTREE), (fin, _TABLE)):
        places = {_entree(octets, *ou, marque): genre for marque, genre in _DANS_UN_ZIP.items()}
        if trouves := [place for place in places if place != -1]:
            binaire = _entree(debut, *_ENTREE, _XLSB[0]) != -1 or _entree(fin, *_TABLE, _XLSB[0]) != -1
            genre = places[min(trouves)]
            return _XLSB[1] if genre == XLSX and binaire else genre
    return _ZIP


def a_l_entree(debut: bytes, fin: bytes, nom: bytes) -> bool:
    """True where an archive that begins and ends so has an entry whose name begins so."""
    return _entree(debut, *_ENTREE, nom) != -1 or _entree(fin, *_TABLE, nom) != -1


def _entree(octets: bytes, signature: bytes, recul: int, marque: bytes) -> int:
    """Position of the name in the first entry whose name begins so, not of a word of a content; -1 without one."""
    position = octets.find(marque)
    while position != -1 and octets[max(0, position - recul) : position - recul + 4] != signature:
        position = octets.find(marque, position + 1)
    return position


def _boites(debut: bytes) -> str | None:
    """ISO media: the first brand that says something decides."""
    taille, boite = int.from_bytes(debut[:4]), debut[4:8]
    if boite == b"ftyp":
        fin = min(taille, len(debut), 4096)
        marques = [debut[8:12], *(debut[p : p + 4] for p in range(16, fin - 3, 4))]
        if genre := _IMAGES.get(marques[0]) or _FILMS.get(marques[0]):
            return genre
        if marques[0][:3] in (b"3gp", b"3g2"):
            return TROIS_GPP
        return next((_IMAGES[marque] for marque in marques if marque in _IMAGES), MP4)
    if boite in _BOITES and (taille in (0, 1) or 8 <= taille < _BOITE_MAX):
        return QUICKTIME
    return None


def est_un_texte(debut: bytes) -> bool:
    return debut.startswith((b"\xff\xfe", b"\xfe\xff")) or (bool(debut) and debut.translate(None, _CONTROLES) == debut)


def _texte(debut: bytes) -> str:
    if debut.startswith((b"\xff\xfe", b"\xfe\xff")):
        return TEXTE
    if not est_un_texte(debut):
        return BINAIRE
    mots = debut.removeprefix(b"\xef\xbb\xbf").lstrip()[:4096].lower()
    if mots.startswith(b"<svg") or (mots.startswith((b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in mots):
        return "image/svg+xml"
    if mots.startswith(_BALISES) or (mots.startswith((b"<?xml", b"<!--")) and b"<html" in mots):
        return "text/html"
    for prefixe, genre in ((b"<?xml", "text/xml"), (b"<?php", "text/x-php")):
        if mots.startswith(prefixe):
            return genre
    if mots.startswith(b"#!") and mots[2:].lstrip(b" \t").startswith(b"/"):
        return "text/x-shellscript"
    return _lisible(debut)


def _lisible(debut: bytes) -> str:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(debut)  # the last letter may be cut
    except UnicodeDecodeError:
        return BINAIRE
    return "application/rtf" if debut.startswith(b"{\\rtf") else TEXTE
