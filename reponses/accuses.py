"""Texts filled for one case, and the one that goes out by itself, with the case that it answers."""

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format

from reponses.models import AccuseAutomatique, ModeleDeReponse, Orientation
from reponses.vocabulaire import Dit, remplir
from signalements.models import Signalement
from socle.domaine.memoire import Memoire
from socle.moteur.ecritures import inserer


def rempli(dit: Dit, dossier: Signalement) -> Dit:
    """The text with the values of this case for its variables, in its own language."""
    jour = dossier.prochaine_echeance
    echeance = _en_lettres(jour, dit.langue) if jour is not None else ""
    valeurs = {"reference": dossier.reference, "echeance": echeance, "service": settings.PORTAIL_NOM}
    return dit._replace(texte=remplir(dit.texte, valeurs))


@lru_cache(maxsize=32)  # every case of a day promises the same one
def _en_lettres(jour: date, langue: str) -> str:
    with translation.override(langue):
        return date_format(jour, "DATE_FORMAT")


class Automatiques(NamedTuple):
    """By type, "" for every one: what goes out, and the advice that follows it."""

    modeles: dict[str, ModeleDeReponse]
    orientations: dict[str, Orientation]


def _lire() -> Automatiques:
    modeles = {modele.type: modele for modele in ModeleDeReponse.objects.automatiques()}
    return Automatiques(modeles, {une.type: une for une in Orientation.objects.all()} if modeles else {})


automatiques = Memoire(_lire)


def modele_pour(signalement: Signalement) -> ModeleDeReponse | None:
    """Find the template that answers a new case: the one of its type, else the one of every type; None for nothing."""
    modeles = automatiques().modeles
    return modeles.get(signalement.type) or modeles.get("")


def accuser(signalement: Signalement) -> None:
    """Insert the answer to a case that was just inserted: the filled template, then the orientation of its type."""
    modele = modele_pour(signalement)
    if modele is None:
        return
    orientation = automatiques().orientations.get(signalement.type)
    textes = {}
    for dit in modele.dits("fr"):
        suite = f"\n\n{orientation.dit(dit.langue).texte}" if orientation is not None else ""
        textes[f"texte_{dit.langue}"] = rempli(dit, signalement).texte + suite
    inserer(AccuseAutomatique(signalement=signalement, date_creation=signalement.date_creation, **textes))
