from typing import Any

from socle.audit.registre import consulter
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


def _noter(acteur: Acteur, ligne: Any) -> None:
    consulter(acteur, Acte.CANAL_ECOUTE, None, "", canal="dashboard")


@canal("dashboard", cle=False, a_l_ouverture=_noter)
def tableau_de_bord(acteur: Acteur, cle: Any) -> list[str]:
    """Both audiences for the two rights on global numbers and on all reports: events carry titles of reports."""
    droits = (Droit.STATS_CONSULTER_GLOBALES, Droit.SIGNALEMENTS_CONSULTER_TOUS)
    return [PUBLIC, PERSONNEL] if all(map(acteur.peut, droits)) else []
