"""Step of each minute: names whose day to be decided has passed."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from homonymes.models import Homonyme
from homonymes.services import qui_decident
from homonymes.tasks import prevenir_d_un_nom
from homonymes.vocabulaire import LOT
from socle.domaine.temps import jour_du_campus
from socle.taches.entretien import chaque_minute


@chaque_minute("Noms à vérifier rappelés")
def rappeler_les_noms() -> None:
    """Mail again, once, who may decide of a name past its day."""
    a_prevenir: set[UUID] = set()
    for cle in list(Homonyme.objects.en_retard(jour_du_campus()).values_list("pk", flat=True)[:LOT]):
        a_prevenir |= _rappeler(cle)
    for compte in sorted(a_prevenir):
        prevenir_d_un_nom.enqueue(str(compte))


@transaction.atomic
def _rappeler(cle: UUID) -> set[UUID]:
    """Date the reminder of one; return whom to tell: nobody where it is decided since, or another worker tells them."""
    attend = Homonyme.objects.en_retard(jour_du_campus()).filter(pk=cle)
    if not attend.order_by().update(rappele_le=timezone.now()):
        return set()
    homonyme = Homonyme.objects.select_related("signalement").get(pk=cle)
    siens = Homonyme.objects.filter(signalement=homonyme.signalement_id)
    return qui_decident(homonyme.signalement, set(siens.values_list("compte", flat=True)))
