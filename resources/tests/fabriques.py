from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from PIL import Image

from accounts.models import Compte
from resources import stockage
from resources.models import ContactUrgence, Faq, Fichier, Ressource
from resources.services import ressources
from socle.domaine.acteurs import Acteur, ActeurCompte

CONTENU = b"Ce que j'ai vu mardi, devant la porte B.\n"


def envoi(nom: str = "constat.txt", contenu: bytes = CONTENU) -> SimpleUploadedFile:
    """A file as a client sends it."""
    return SimpleUploadedFile(nom, contenu)


def image(format_: str = "PNG", taille: tuple[int, int] = (12, 8), **options: Any) -> bytes:
    sortie = BytesIO()
    Image.linear_gradient("L").resize(taille).convert("RGB").save(sortie, format_, **options)
    return sortie.getvalue()


def envoi_d_image(nom: str = "photo.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(nom, image())


def fichier(acteur: Acteur, nom: str = "constat.txt", contenu: bytes = CONTENU, **champs: Any) -> Fichier:
    """A stored file of this actor, as an upload leaves it."""
    seau, cle = stockage.ranger(BytesIO(contenu))
    defauts = {"nom": nom, "type_mime": "text/plain", "taille": len(contenu), "seau": seau, "cle": cle}
    cree = Fichier(**acteur.proprietaire, **{**defauts, **champs})
    cree.indexer()
    cree.save(force_insert=True)
    return cree


def ressource(compte: Compte, titre: str = "Guide d'accueil", **champs: Any) -> Ressource:
    """A link, unless it is given a file_id."""
    if "file_id" not in champs:
        champs.setdefault("url_publique", "https://campus.example.org/guide.pdf")
    return ressources.ajouter(acteur=ActeurCompte(compte=compte), titre=titre, **champs)


def faq(**champs: Any) -> Faq:
    """Published, unless it is said otherwise."""
    defauts = {"question": "Qui lit mon signalement ?", "reponse": "L'équipe.", "ordre": 10, "publiee": True}
    return _aide(Faq(**{**defauts, **champs}))


def contact(**champs: Any) -> ContactUrgence:
    return _aide(ContactUrgence(**{"nom": "Sécurité", "telephone": "112", "ordre": 10, **champs}))


def _aide(entree: Any) -> Any:
    entree.indexer()
    entree.save(force_insert=True)
    return entree


def recu(nom: str = "constat.txt", contenu: bytes = CONTENU) -> TemporaryUploadedFile:
    """A file as the parser hands it on."""
    fichier = TemporaryUploadedFile(nom, "text/plain", len(contenu), None)
    fichier.write(contenu)
    fichier.seek(0)
    return fichier


def exif_avec_lieu() -> bytes:
    exif = Image.Exif()
    exif[0x0110] = "Téléphone de Ruth"
    exif.get_ifd(0x8825).update({1: "S", 2: (4.0, 19.0, 30.0), 3: "E", 4: (15.0, 18.0, 0.0)})
    return exif.tobytes()


def pixels(octets: bytes) -> bytes:
    with Image.open(BytesIO(octets)) as ouverte:
        return ouverte.tobytes()


def stockes(seau: str) -> list[str]:
    """The keys of every file of this store."""
    magasin = stockage.stockage(seau)
    return sorted(f"{dossier}/{nom}" for dossier in _lister(magasin, "")[0] for nom in _lister(magasin, dossier)[1])


def _lister(magasin: Any, dossier: str) -> tuple[list[str], list[str]]:
    try:
        return magasin.listdir(dossier)
    except FileNotFoundError:
        return [], []
