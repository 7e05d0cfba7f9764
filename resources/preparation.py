"""Prepare a file as it will be kept: of an accepted type, and without its metadata where they can be taken out."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from resources.erreurs import ProgrammeRefuse, TypeDeFichierRefuse, fichier_refuse
from resources.nettoyage.ecartes import LIEN, PROGRAMME, ecarter
from resources.nettoyage.genres import du_fichier
from resources.nettoyage.processus import Motif, nettoyer

_TROP_COMPLEXE = _(
    "Nous ne savons pas retirer de ce fichier ce qu'il dit de vous. Envoyez-en un plus simple, ou une partie seulement."
)
REFUS = {
    Motif.ILLISIBLE: ("unreadable", _("Ce fichier est abîmé. Enregistrez-le de nouveau, puis renvoyez-le.")),
    Motif.CHIFFRE: (
        "encrypted",
        _("Ce document est protégé par un mot de passe. Envoyez-en une copie ouverte."),
    ),
    Motif.TROP_DE_PIXELS: (
        "too_large",
        _(
            "Cette image est trop grande, même pour être réduite. Rognez-la, ou enregistrez-la plus petite : "
            "40 millions de pixels au plus."
        ),
    ),
    Motif.TROP_D_IMAGES: ("too_large", _("Cette animation est trop longue : 200 images au plus.")),
    Motif.TROP_D_OBJETS: ("too_complex", _TROP_COMPLEXE),
    Motif.TROP_DIVERS: (
        "too_complex",
        _("Ce document contient un fichier que nous ne savons pas nettoyer. Envoyez-le en PDF."),
    ),
    Motif.TROP_DE_MEMOIRE: ("too_complex", _TROP_COMPLEXE),
    Motif.TROP_GROS: ("too_complex", _TROP_COMPLEXE),
    Motif.TROP_LONG: ("too_complex", _TROP_COMPLEXE),
}
UN_LIEN = _(
    "Ce fichier n'est qu'un lien vers un document, pas le document. "
    "Ouvrez-le, enregistrez-le en PDF, puis envoyez ce PDF."
)
# Instead of a picture that can carry a place and that nothing here cleans.
A_LA_PLACE = "JPEG, PNG, WebP, HEIC, PDF, MP4"


@dataclass(frozen=True)
class Prepare:
    chemin: Path
    type_mime: str
    metadonnees_retirees: bool

    @property
    def taille(self) -> int:
        return self.chemin.stat().st_size


def preparer(
    recu: Path, propre: Path, *, nom: str = "", admis: Collection[str] = (), nettoyes: Collection[str] = ()
) -> Prepare:
    """Judge the type and clean into the path `propre`; 415 for the type, 422 for this file. See `recevoir`."""
    genre = _juger(recu, nom)
    if admis and genre not in admis:
        raise TypeDeFichierRefuse(", ".join(admis))
    if nettoyes and genre not in nettoyes:
        return Prepare(recu, genre, metadonnees_retirees=False)
    resultat = nettoyer(recu, propre)
    if resultat.motif is Motif.GENRE_REFUSE:
        raise TypeDeFichierRefuse(A_LA_PLACE)
    if resultat.motif is not None:
        raise fichier_refuse(*REFUS[resultat.motif])
    return Prepare(propre, resultat.genre, resultat.metadonnees_retirees)


def _juger(chemin: Path, nom: str) -> str:
    """The type of this content; 415 for a program, 422 for what only leads to a document."""
    with chemin.open("rb") as contenu:
        genre = du_fichier(contenu)
        ecarte = ecarter(contenu, genre, nom)
    if ecarte == PROGRAMME:
        raise ProgrammeRefuse
    if ecarte == LIEN:
        raise fichier_refuse("link", UN_LIEN)
    return genre
