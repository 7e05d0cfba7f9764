from typing import Any

from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


@canal("dashboard", cle=False)
def tableau_de_bord(acteur: Acteur, cle: Any) -> list[str]:
    """The numbers of all, and the titles of what waits."""
    droits = (Droit.STATS_CONSULTER_GLOBALES, Droit.SIGNALEMENTS_CONSULTER_TOUS)
    return [PUBLIC, PERSONNEL] if all(map(acteur.peut, droits)) else []
