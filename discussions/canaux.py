from uuid import UUID

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from discussions.models import Discussion
from signalements.models import LECTEURS
from socle.audit.registre import consulter, est_surveille
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import PUBLIC, canal


def _lignes(cles: set[UUID]) -> dict[UUID, Discussion]:
    colonnes = [f"{debut}{nom}" for debut in ("", "absorbe_par__") for nom in ("titulaire", "absorbe_par")]
    liens = ("signalement", "absorbe_par__signalement")
    ouvertures = [f"{debut}signalement__{nom}" for debut in ("", "absorbe_par__") for nom in ("ouvert_a", "equipe")]
    siennes = Discussion.objects.filter(pk__in=cles).select_related(*liens).only(*colonnes, *ouvertures, *liens)
    discussions = Discussion.vivants_par_cle(siennes)
    dossiers = [une.signalement for une in discussions.values() if une.signalement is not None]
    prefetch_related_objects([un for un in dossiers if not un.est_ouvert_a_tous], *LECTEURS)
    return discussions


def _noter(acteur: Acteur, discussion: Discussion) -> None:
    if est_surveille(acteur) and not discussion.est_de(acteur):
        sorte = Sorte.SIGNALEMENT if discussion.signalement_id else Sorte.DISCUSSION
        objet = discussion.signalement_id or discussion.pk
        consulter(acteur, Acte.CANAL_ECOUTE, objet, sorte, discussion=discussion.pk)


@canal(
    "discussion",
    lignes=_lignes,
    mener=Discussion.mener,
    a_l_ouverture=_noter,
    qui=_("L'auteur de son dossier, invité compris, ou sans dossier qui l'a ouverte ; l'équipe qui lit ce dossier."),
)
def une_seule(acteur: Acteur, discussion: Discussion) -> list[str]:
    """Public audience for its participants: the owner of its report, without one its opener, and staff; else none."""
    return [PUBLIC] if discussion.est_visible_de(acteur) else []
