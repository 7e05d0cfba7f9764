"""The discussions of cases that are deleted whole."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from discussions.models import Arriere, Discussion, Lecture, Message
from discussions.signals import discussions_effacees
from socle.domaine.verrous import verrouiller_dans_l_ordre


def verrouiller(dossiers: Collection[UUID]) -> list[UUID]:
    """Lock the discussions of these locked cases, in id order; return their keys."""
    lignes = Discussion.objects.filter(signalement__in=dossiers).values_list("pk", flat=True)
    return verrouiller_dans_l_ordre(lignes, exclusif=True)


def retirer(dossiers: Collection[UUID]) -> tuple[list[UUID], dict[UUID, list[str]]]:
    """Lock the discussions of these cases, and delete them with their messages and read marks.

    Return their keys, and the files of each message that had some.
    """
    cles = verrouiller(dossiers)
    messages = Message.objects.filter(Q(discussion__in=cles) | Q(origine__in=cles))
    pieces = dict(messages.exclude(pieces_jointes=[]).values_list("pk", "pieces_jointes"))
    Lecture.objects.filter(discussion__in=cles).delete()
    Arriere.objects.filter(discussion__in=cles).delete()
    messages.delete()
    Discussion.objects.filter(absorbe_par__in=cles).delete()
    Discussion.objects.filter(pk__in=cles).delete()
    if cles:
        discussions_effacees.send(Discussion, cles=cles)
    return cles, pieces
