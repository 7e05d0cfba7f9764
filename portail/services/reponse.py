"""A reply in the conversation of one's case: one for a click, however often it is sent."""

from django.db import transaction
from django.utils import timezone

from discussions.models import Discussion
from discussions.permissions import discussion_accessible
from discussions.services import ecrire, marquer_lus, ouvrir
from portail.vocabulaire import DOUBLE_CLIC
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur


@transaction.atomic
def repondre(*, acteur: Acteur, dossier: Signalement, contenu: str) -> None:
    """Write, under the lock of the case, unless the same words were written here a moment ago; all is read by then."""
    acteur.verrouiller()
    dossier.verrouiller()
    discussion = la_discussion(acteur, dossier)
    recents = discussion.messages.filter(date_creation__gt=timezone.now() - DOUBLE_CLIC, **acteur.proprietaire)
    if contenu not in recents.values_list("contenu", flat=True):
        ecrire(acteur=acteur, discussion=discussion, contenu=contenu)
    marquer_lus(acteur=acteur, discussion=discussion)


def la_discussion(acteur: Acteur, dossier: Signalement) -> Discussion:
    """The one that moved last, or a new one."""
    siennes = Discussion.objects.vivants().filter(signalement=dossier).order_by("-date_modification", "-id")
    if derniere := siennes.values_list("pk", flat=True).first():
        return discussion_accessible(acteur, derniere)
    return ouvrir(acteur=acteur, titre=dossier.titre, signalement_id=dossier.pk)
