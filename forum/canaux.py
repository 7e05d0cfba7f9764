from uuid import UUID

from django.utils.translation import gettext_lazy as _

from forum.models import Poste
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


def _lignes(cles: set[UUID]) -> dict[UUID, Poste]:
    postes = Poste._base_manager.filter(pk__in=cles).only("compte", "statut", "date_suppression")
    return {poste.pk: poste for poste in postes}


@canal("poste", lignes=_lignes, qui=_("Qui voit la publication."))
def un_seul(acteur: Acteur, poste: Poste) -> list[str]:
    """Public audience for those who may see the post; the staff audience too for author and staff; else none."""
    if not (acteur.peut(Droit.FORUM_PARTICIPER) and poste.est_visible_de(acteur)):
        return []
    return [PUBLIC, PERSONNEL] if acteur.possede(poste) or acteur.peut(Droit.FORUM_CONSULTER_TOUS) else [PUBLIC]
