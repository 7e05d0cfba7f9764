"""Recount of every report, compared with the counters: the proof that these are right, and their repair."""

from signalements.comptees import COMPTEES
from signalements.compteurs.cellules import Cellule, Compteurs, additionner, difference, etalees
from signalements.compteurs.lectures import lire
from signalements.compteurs.suivi import LOT, ajouter
from signalements.models import Signalement
from signalements.vocabulaire import RESERVES
from socle.domaine.instant import un_instant


def ecarts() -> Compteurs:
    """Recount every report; return true count minus counters, by cell, empty when all is well.

    Both are read in one snapshot, so that a difference stays true whatever is written meanwhile.
    """
    with un_instant():
        lignes = Signalement.objects.vivants().order_by().values_list(*COMPTEES, named=True)
        vrai = additionner(une for une in lignes.iterator(chunk_size=LOT) if une.ouvert_a not in RESERVES)
        tenu = {Cellule(*cle): mesures for cle, mesures in lire(*Cellule._fields).items()}
    return difference(vrai, etalees(tenu))


def recompter() -> Compteurs:
    """Append the difference that `ecarts` finds to the counters; return it."""
    manque = ecarts()
    ajouter(manque)
    return manque
