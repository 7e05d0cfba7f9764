"""Rights to the dashboard of the team."""

from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit

_LES_DEUX = (Droit.STATS_CONSULTER_GLOBALES, Droit.SIGNALEMENTS_CONSULTER_TOUS)


def voit_le_tableau(acteur: Acteur) -> bool:
    """True with the rights on global numbers and on all reports: the dashboard and its channel show both."""
    return all(map(acteur.peut, _LES_DEUX))
