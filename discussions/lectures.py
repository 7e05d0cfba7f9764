"""The reads of discussions that pages and doors ask for, prepared."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from discussions.models import Discussion, Message
from socle.domaine.acteurs import Acteur
from socle.domaine.lectures import preparee


@preparee
def accessible(acteur: Acteur, pk: UUID | str, a_rendre: bool) -> QuerySet[Any]:
    lignes = Discussion.objects.pour_lecture(acteur) if a_rendre else Discussion.objects.select_related("signalement")
    return lignes.visibles_par(acteur, par_cle=True).menant_a(pk)


@preparee
def visibles(acteur: Acteur) -> QuerySet[Any]:
    return Discussion.objects.pour_lecture(acteur).visibles_par(acteur)


@preparee
def ouverte_a(acteur: Acteur, pk: UUID) -> QuerySet[Any]:
    """The discussion with its report, where the actor may write in it."""
    return Discussion.objects.select_related("signalement").ouvertes_a(acteur).filter(pk=pk)


@preparee
def messages_de(discussion: UUID) -> QuerySet[Any]:
    return Message.objects.pour_lecture().filter(discussion=discussion)


@preparee
def non_lus(acteur: Acteur) -> QuerySet[Any]:
    """The unread count of each visible discussion, the latest activity first."""
    lignes = Discussion.objects.visibles_par(acteur).pour_lecture(acteur).prefetch_related(None)
    return lignes.select_related(None).values_list("messages_non_lus_count", flat=True)
