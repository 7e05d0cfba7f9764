from uuid import UUID

from discussions.models import Discussion
from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import PUBLIC, canal


def _lignes(cles: set[UUID]) -> dict[UUID, Discussion]:
    colonnes = [
        f"{debut}{nom}"
        for debut in ("", "signalement__", "absorbe_par__", "absorbe_par__signalement__")
        for nom in ("compte", "invite", "absorbe_par")
    ]
    liens = ("signalement", "absorbe_par__signalement")
    siennes = Discussion.objects.filter(pk__in=cles).select_related(*liens).only(*colonnes, *liens)
    return Discussion.vivants_par_cle(siennes)


@canal("discussion", lignes=_lignes, mener=Discussion.mener)
def une_seule(acteur: Acteur, discussion: Discussion) -> list[str]:
    """Public audience for its participants: the owner of its report, without one its opener, and staff; else none."""
    return [PUBLIC] if discussion.est_visible_de(acteur) else []
