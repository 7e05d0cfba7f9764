from uuid import UUID

from config.domaine.acteurs import Acteur
from config.domaine.erreurs import AccesRefuse, Introuvable
from discussions.models import Discussion


def discussion_accessible(acteur: Acteur, pk: UUID | str, *, a_rendre: bool = False) -> Discussion:
    """The only door to a discussion: returns it, or the one it was joined to, or says why not.

    `a_rendre`: with what a response says of it, its unread count for one.
    """
    lignes = Discussion.objects.pour_lecture(acteur) if a_rendre else Discussion.objects.select_related("signalement")
    if discussion := lignes.visibles_par(acteur).menant_a(pk).first():
        return discussion
    if not Discussion.objects.filter(pk=pk).exists():
        raise Introuvable
    raise AccesRefuse.pour(acteur)
