from typing import Any
from uuid import UUID

from config.domaine.acteurs import Acteur
from config.realtime.canaux import PERSONNEL, PUBLIC, canal
from signalements.models import Signalement


@canal("signalements", cle=False)
def tous(acteur: Acteur, cle: Any) -> list[str]:
    return [PUBLIC, PERSONNEL] if acteur.peut("signalements.consulter_tous") else []


@canal("signalement", mener=Signalement.mener)
def un_seul(acteur: Acteur, cle: UUID) -> list[str]:
    """Its owner, and staff, who also hear of internal notes."""
    signalement = Signalement.objects.visibles_par(acteur).menant_a(cle).first()
    if signalement is None:
        return []
    return [PUBLIC, PERSONNEL] if signalement.pour_l_equipe(acteur) else [PUBLIC]
