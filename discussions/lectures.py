"""The reads of discussions that pages and doors ask for, prepared."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from discussions.models import Discussion, Message
from discussions.querysets import releve_jusqu_a
from signalements.lecteurs import ouverts_a
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee


@preparee
def accessible(acteur: Acteur, pk: UUID | str, a_rendre: bool) -> QuerySet[Any]:
    lignes = Discussion.objects.pour_lecture(acteur) if a_rendre else Discussion.objects.select_related("signalement")
    return lignes.visibles_par(acteur, par_cle=True).menant_a(pk)


@preparee
def visibles(acteur: Acteur) -> QuerySet[Any]:
    return Discussion.objects.pour_lecture(acteur).visibles_par(acteur)


def des_dossiers_ouverts(acteur: Acteur) -> Any:
    """Discussions of the cases that this administrator has opened for a reason, as a queryset."""
    return Discussion.objects.pour_lecture(acteur).filter(signalement__in=ouverts_a(acteur).values("pk"))


@preparee
def ouverte_a(acteur: Acteur, pk: UUID) -> QuerySet[Any]:
    """The discussion with its report, where the actor may write in it."""
    return Discussion.objects.select_related("signalement").ouvertes_a(acteur).filter(pk=pk)


@preparee
def messages_de(discussion: UUID) -> QuerySet[Any]:
    return Message.objects.pour_lecture().filter(discussion=discussion)


@preparee
def non_lus(acteur: Acteur) -> QuerySet[Any]:
    """The unread count of each visible discussion that has one, the latest activity first; of the team, see below."""
    return Discussion.objects.visibles_par(acteur).non_lues_par(acteur).values_list("n", flat=True)


@preparee
def dossiers_non_lus(acteur: Acteur) -> QuerySet[Any]:
    """The reports of the discussions of `non_lus`, by their keys; one comes as often as it has such discussions."""
    visibles = Discussion.objects.visibles_par(acteur).filter(signalement__isnull=False)
    return visibles.non_lues_par(acteur).values_list("signalement", flat=True)


@preparee
def dossiers_arrieres(acteur: Acteur) -> QuerySet[Any]:
    """The same of those that moved before what `dossiers_non_lus` looks at."""
    visibles = Discussion.objects.visibles_par(acteur).filter(signalement__isnull=False)
    return visibles.arrierees_de(acteur).values_list("signalement", flat=True)


@preparee
def non_lus_arrieres(acteur: Acteur) -> QuerySet[Any]:
    """The same of those that moved before what `non_lus` looks at."""
    anciennes = Discussion.objects.visibles_par(acteur).filter(date_modification__lt=releve_jusqu_a(acteur))
    return anciennes.arrierees_de(acteur).values_list("n", flat=True)
