from typing import Any

from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


@canal("dashboard", cle=False)
def tableau_de_bord(acteur: Acteur, cle: Any) -> list[str]:
    return [PUBLIC, PERSONNEL] if acteur.peut("stats.consulter_globales") else []
