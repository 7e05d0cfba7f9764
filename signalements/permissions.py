from uuid import UUID

from config.domaine.acteurs import Acteur
from config.domaine.erreurs import AccesRefuse, Introuvable
from signalements.models import Signalement


def signalement_accessible(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The only door to a report for a reader: returns it, or the case it was joined to, or says why not."""
    lisibles = Signalement.objects.pour_lecture(acteur).visibles_par(acteur)
    if signalement := lisibles.menant_a(pk).first():
        return signalement
    if not Signalement.objects.filter(pk=pk).exists():
        raise Introuvable
    raise AccesRefuse.pour(acteur)


def signalement_par_reference(acteur: Acteur, reference: str) -> Signalement:
    """Among the actor's own: an unknown reference and somebody else's are the same 404."""
    siens = Signalement.objects.pour_lecture(acteur).de(acteur)
    if signalement := siens.filter(reference=reference.upper()).first():
        return signalement
    raise Introuvable
