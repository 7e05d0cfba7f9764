from typing import Any

from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


@canal("dashboard", cle=False)
def tableau_de_bord(acteur: Acteur, cle: Any) -> list[str]:
    """Both audiences for the two rights on global numbers and on all reports: events carry titles of reports."""
    droits = (Droit.STATS_CONSULTER_GLOBALES, Droit.SIGNALEMENTS_CONSULTER_TOUS)
    return [PUBLIC, PERSONNEL] if all(map(acteur.peut, droits)) else []
