from uuid import UUID

from config.domaine.acteurs import Acteur
from config.realtime.canaux import PERSONNEL, PUBLIC, canal
from forum.models import Poste


@canal("poste")
def un_seul(acteur: Acteur, cle: UUID) -> list[str]:
    """Whoever may see the post; its author and staff hear it too while nobody else may see it."""
    poste = Poste.objects.visibles_par(acteur).filter(pk=cle).first()
    if poste is None:
        return []
    return [PUBLIC, PERSONNEL] if acteur.possede(poste) or acteur.peut("forum.consulter_tous") else [PUBLIC]
