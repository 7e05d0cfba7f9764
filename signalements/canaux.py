from uuid import UUID

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from equipes.lectures import audiences_d_equipes
from signalements.models import LECTEURS, Signalement
from socle.audit.registre import consulter, est_surveille
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


def _noter(acteur: Acteur, signalement: Signalement | None) -> None:
    if est_surveille(acteur) and not (signalement is not None and acteur.possede(signalement)):
        sorte = Sorte.SIGNALEMENT if signalement is not None else ""
        consulter(acteur, Acte.CANAL_ECOUTE, signalement.pk if signalement is not None else None, sorte)


@canal(
    "signalements",
    cle=False,
    personnes=audiences_d_equipes,
    a_l_ouverture=_noter,
    qui=_("L'équipe : les dossiers que chaque personne lit, sauf ceux qui sont réservés."),
)
def tous(acteur: Acteur, siennes: list[str] | None) -> list[str]:
    """Both audiences, and those of their teams, for who reads reports as the staff; none for others.

    Events here hold staff data.
    """
    droits = (Droit.SIGNALEMENTS_CONSULTER_TOUS, Droit.SIGNALEMENTS_LIRE_EN_EQUIPE)
    return [PUBLIC, PERSONNEL, *(siennes or [])] if all(map(acteur.peut, droits)) else []


def _lignes(cles: set[UUID]) -> dict[UUID, Signalement]:
    joints = ("absorbe_par__compte", "absorbe_par__invite", "absorbe_par__absorbe_par")
    siens = Signalement.objects.filter(pk__in=cles).only(
        "compte", "invite", "absorbe_par", "ouvert_a", "equipe", "absorbe_par__ouvert_a", "absorbe_par__equipe", *joints
    )
    dossiers = Signalement.vivants_par_cle(siens)
    prefetch_related_objects([un for un in dossiers.values() if not un.est_ouvert_a_tous], *LECTEURS)
    return dossiers


@canal(
    "signalement",
    lignes=_lignes,
    mener=Signalement.mener,
    a_l_ouverture=_noter,
    qui=_("L'auteur du dossier, invité compris, et l'équipe qui le lit."),
)
def un_seul(acteur: Acteur, signalement: Signalement) -> list[str]:
    """Public audience for its owner; the staff audience too for staff, who hear of internal notes; else none."""
    if not signalement.est_visible_de(acteur):
        return []
    return [PUBLIC, PERSONNEL] if signalement.pour_l_equipe(acteur) else [PUBLIC]
