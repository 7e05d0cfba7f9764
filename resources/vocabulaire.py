from django.db import models


class Portee(models.TextChoices):
    """Where a file may still go, and so who reads its name."""

    LIBRE = "LIBRE"  # attached to nothing yet
    OUVERTE = "OUVERTE"  # attached where its owner is named
    ANONYME = "ANONYME"  # attached to the one report that hides its owner, or to one message about it


LOCAL = "local"
DOCUMENT = "DOCUMENT"
CATEGORIES_CONNUES = (DOCUMENT, "IMAGE", "VIDEO", "GUIDE")
IMAGES = ("image/jpeg", "image/png", "image/webp")
# What is served under its own type; anything else is bytes, which no browser shows.
TYPES_SERVIS = {
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/webp": (".webp",),
    "application/pdf": (".pdf",),
    "video/mp4": (".mp4", ".m4v"),
}
# What a neutral name keeps of the one that was given: an ending that many files have.
SUFFIXES_COURANTS = (
    *(".aac", ".flac", ".m4a", ".mp3", ".ogg", ".opus", ".wav", ".wma"),
    *(".3gp", ".avi", ".mkv", ".mov", ".mpeg", ".webm", ".wmv"),
    *(".csv", ".doc", ".docx", ".odp", ".ods", ".odt", ".ppt", ".pptx", ".rtf", ".txt", ".xls", ".xlsx"),
    *(".bmp", ".gif", ".svg", ".eml", ".html", ".ics", ".json", ".md", ".xml", ".zip"),
)
OCTETS = "application/octet-stream"
RESSOURCE = "ressource"
EN_COURS = "campus-envoi-"  # what an upload is being made of, in the temporary folder
# Help goes out whole: so many entries at most are shown at once.
FAQS_MAX = 200
CONTACTS_MAX = 50
CATEGORIES_DE_FAQ = ("GENERAL", "SIGNALER", "CONFIDENTIALITE", "SUIVI", "COMPTE")
