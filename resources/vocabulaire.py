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
OCTETS = "application/octet-stream"
RESSOURCE = "ressource"
EN_COURS = "campus-envoi-"  # what an upload is being made of, in the temporary folder
# Help goes out whole: so many entries at most are shown at once.
FAQS_MAX = 200
CONTACTS_MAX = 50
CATEGORIES_DE_FAQ = ("GENERAL", "SIGNALER", "CONFIDENTIALITE", "SUIVI", "COMPTE")
