from typing import Any

from django.utils.translation import gettext_lazy as _

from equipes.lectures import audiences_d_equipes
from socle.audit.registre import consulter
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal
from stats.permissions import voit_le_tableau


def _noter(acteur: Acteur, ligne: Any) -> None:
    consulter(acteur, Acte.CANAL_ECOUTE, None, "", canal="dashboard")


@canal("dashboard", cle=False, personnes=audiences_d_equipes, a_l_ouverture=_noter, qui=_("L'équipe."))
def tableau_de_bord(acteur: Acteur, siennes: list[str] | None) -> list[str]:
    """Both audiences, and those of their teams, for who sees the dashboard: events carry titles of reports."""
    return [PUBLIC, PERSONNEL, *(siennes or [])] if voit_le_tableau(acteur) else []
