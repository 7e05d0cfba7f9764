from uuid import UUID

from config.domaine.acteurs import Acteur
from config.realtime.canaux import PUBLIC, canal
from discussions.models import Discussion


@canal("discussion")
def une_seule(acteur: Acteur, cle: UUID) -> list[str]:
    """Its participants: who opened it, the owner of its report, staff."""
    return [PUBLIC] if Discussion.objects.visibles_par(acteur).menant_a(cle).exists() else []
