from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from socle.domaine.texte import mot_lisible
from socle.domaine.vocabulaires import montrer_des_mots


class Portee(models.TextChoices):
    """Reach of a file: where it may still be attached, and so who reads its name."""

    LIBRE = "LIBRE"  # attached to nothing yet
    OUVERTE = "OUVERTE"  # attached where its owner is named
    ANONYME = "ANONYME"  # attached to the one report that hides its owner, or to one message about it


LOCAL = "local"
DOCUMENT = "DOCUMENT"
CATEGORIES_CONNUES = (DOCUMENT, "IMAGE", "VIDEO", "GUIDE")
# Well-known categories, of documents and of questions, in words.
LIBELLES_DES_CATEGORIES: dict[str, Any] = {
    DOCUMENT: _("Document"),
    "IMAGE": _("Image"),
    "VIDEO": _("Vidéo"),
    "GUIDE": _("Guide"),
    "GENERAL": _("En général"),
    "SIGNALER": _("Signaler"),
    "CONFIDENTIALITE": _("Confidentialité"),
    "SUIVI": _("Suivi"),
    "COMPTE": _("Compte"),
}
# Word that the categories begin with that write pages of the portal -> those there are.
PORTAIL = "PORTAIL"
PAGES_ECRITES = tuple(
    f"{PORTAIL}{page}{langue}" for page in ("", "_CONFIDENTIALITE", "_MENTIONS", "_DROITS") for langue in ("", "_EN")
)
IMAGES = ("image/jpeg", "image/png", "image/webp", "image/heic", "image/heif")
# Types served as themselves, with their extensions; anything else is bytes, which no browser shows.
TYPES_SERVIS = {
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/webp": (".webp",),
    "application/pdf": (".pdf",),
    "video/mp4": (".mp4", ".m4v"),
}
_OOXML, _ODF = "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument."
# Types whose names end in one of these; the first where it does not.
EXTENSIONS = {
    **TYPES_SERVIS,
    "audio/mp4": (".m4a", ".m4b", ".mp4"),
    f"{_OOXML}wordprocessingml.document": (".docx", ".dotx"),
    f"{_OOXML}spreadsheetml.sheet": (".xlsx", ".xltx"),
    f"{_OOXML}presentationml.presentation": (".pptx", ".potx", ".ppsx"),
    f"{_ODF}text": (".odt",),
    f"{_ODF}spreadsheet": (".ods",),
    f"{_ODF}presentation": (".odp",),
    f"{_ODF}graphics": (".odg",),
}
# Of files that cleaning makes into another: a photo shown everywhere, a document without macros.
DEVENUES = {
    **dict.fromkeys((".heic", ".heif", ".hif"), ".jpg"),
    **{".docm": ".docx", ".dotm": ".dotx", ".xlsm": ".xlsx", ".xltm": ".xltx", ".xlam": ".xlsx"},
    **{".pptm": ".pptx", ".potm": ".potx", ".ppsm": ".ppsx", ".ppam": ".pptx"},
}
# Extensions that a neutral name keeps of the given one: endings that many files have.
SUFFIXES_COURANTS = (
    *(".aac", ".amr", ".flac", ".m4a", ".mp3", ".ogg", ".opus", ".wav", ".wma"),
    *(".3gp", ".avi", ".m4v", ".mkv", ".mov", ".mpeg", ".webm", ".wmv"),
    *(".csv", ".doc", ".docx", ".odg", ".odp", ".ods", ".odt", ".ppt", ".pptx", ".rtf", ".txt", ".xls", ".xlsx"),
    *(".bmp", ".gif", ".svg", ".eml", ".html", ".ics", ".json", ".md", ".xml", ".zip"),
    *(".7z", ".log", ".msg", ".rar", ".vcf"),
)
# What the boxes of pages offer. Kinds, for telephones; endings, for computers, which know few kinds by name.
OFFERTS = tuple(
    dict.fromkeys(
        (
            *("image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif", "application/pdf"),
            *("video/*", "audio/*"),
            *(suffixe for suffixes in EXTENSIONS.values() for suffixe in suffixes),
            *DEVENUES,
            *SUFFIXES_COURANTS,
        )
    )
)
OCTETS = "application/octet-stream"
# Beginning of a type -> what people call it: the first that fits.
GENRES: dict[str, Any] = {
    "application/pdf": "PDF",
    "image/": _("Image"),
    "video/": _("Vidéo"),
    "audio/": _("Son"),
    "text/": _("Texte"),
    f"{_OOXML}wordprocessingml": _("Texte"),
    f"{_OOXML}spreadsheetml": _("Tableur"),
    f"{_OOXML}presentationml": _("Présentation"),
    f"{_ODF}text": _("Texte"),
    f"{_ODF}spreadsheet": _("Tableur"),
    f"{_ODF}presentation": _("Présentation"),
    f"{_ODF}graphics": _("Dessin"),
}
RESSOURCE = "ressource"
EN_COURS = "campus-envoi-"  # prefix, in the temporary folder, of uploads under way
# Help goes out whole: so many entries at most are shown at once.
FAQS_MAX = 200
CONTACTS_MAX = 50
CATEGORIES_DE_FAQ = ("GENERAL", "SIGNALER", "CONFIDENTIALITE", "SUIVI", "COMPTE")


def categorie_lisible(categorie: str) -> Any:
    return mot_lisible(categorie, LIBELLES_DES_CATEGORIES)


def genre_lisible(type_mime: str) -> str:
    """The common name of this kind of file; « Fichier » where it has none."""
    type_mime = type_mime.lower()
    return str(next((mot for debut, mot in GENRES.items() if type_mime.startswith(debut)), _("Fichier")))


montrer_des_mots("categorieRessource", "categorie", CATEGORIES_CONNUES, LIBELLES_DES_CATEGORIES)
