from typing import Any

from socle.audit.registre import consulter
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal
from stats.permissions import voit_le_tableau


def _noter(acteur: Acteur, ligne: Any) -> None:
    consulter(acteur, Acte.CANAL_ECOUTE, None, "", canal="dashboard")


@canal("dashboard", cle=False, a_l_ouverture=_noter)
def tableau_de_bord(acteur: Acteur, cle: Any) -> list[str]:
    """Both audiences for who sees the dashboard: events carry titles of reports."""
    return [PUBLIC, PERSONNEL] if voit_le_tableau(acteur) else []
