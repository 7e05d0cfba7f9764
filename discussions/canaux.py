from uuid import UUID

from config.domaine.acteurs import Acteur
from config.realtime.canaux import PUBLIC, canal
from discussions.models import Discussion


@canal("discussion", mener=Discussion.mener)
def une_seule(acteur: Acteur, cle: UUID) -> list[str]:
    """Its participants: the owner of its report, or, where it has none, who opened it; and staff."""
    return [PUBLIC] if Discussion.objects.visibles_par(acteur).menant_a(cle).exists() else []
