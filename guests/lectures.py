"""The reads that every request of a guest makes, prepared."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from discussions.models import Discussion
from guests.models import SessionInvitee
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee


@preparee
def session_par_empreinte(empreinte: str) -> QuerySet[Any]:
    return SessionInvitee.objects.defer("telephone").filter(guest_id_empreinte=empreinte)


@preparee
def suivis(acteur: Acteur) -> QuerySet[Any]:
    return Signalement.objects.pour_lecture(acteur).de(acteur).prefetch_related(discussions_suivies())


def discussions_suivies() -> Prefetch[Any]:
    """The discussions of a report, as `suivies`, the oldest first."""
    discussions = Discussion.objects.vivants().order_by("date_creation", "pk")
    return Prefetch("discussions", queryset=discussions, to_attr="suivies")
