"""Names of the active staff in a text: a full first name and a full last name, as whole words in plain form."""

import re
from functools import lru_cache
from uuid import UUID

from accounts.models import Compte
from socle.domaine.recherche import indexable

_MOTS = re.compile(r"[^\W_]+")


@lru_cache(4_000)  # the names of the staff, which every report that names somebody is compared with
def en_mots(texte: str) -> str:
    """Plain words of a text with a space around each; a space alone where there is none."""
    return f" {' '.join(_MOTS.findall(indexable(texte)))} ".replace("  ", " ")


def est_nomme(texte: str, prenom: str, nom: str) -> bool:
    """True where both names are in the text, in any order, with anything between; never of an empty one."""
    lu = en_mots(texte)
    return all(len(mots) > 1 and mots in lu for mots in (en_mots(prenom), en_mots(nom)))


def nommes_dans(texte: str) -> set[UUID]:
    """Keys of the active members of the staff whom this text names; one statement where it may, with two words."""
    if len(en_mots(texte).split()) < 2:
        return set()
    equipe = Compte.objects.equipe_active().order_by().values_list("pk", "prenom", "nom")
    return {pk for pk, prenom, nom in equipe if est_nomme(texte, prenom, nom)}
