"""Leaving the team: an account is deactivated, and its open cases go to somebody else, or to nobody."""

from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Compte
from accounts.services import comptes
from espace.selections import dossiers_tenus
from signalements import services
from signalements.lecteurs import Acces
from socle.domaine.acteurs import Acteur
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import ChampsInvalides

LOT = 100  # cases of one transaction: each has its line of history, and is announced


class Depart(NamedTuple):
    """Outcome: whether the account was active, how many cases went to somebody and to nobody, whether some are left."""

    etait_actif: bool
    confies: int
    rendus: int
    en_reste: bool


@transaction.atomic
def faire_partir(*, compte: Compte, acteur: Acteur, repreneur_id: UUID | None) -> Depart:
    """Deactivate the account, and give the first LOT of its open cases that the actor may read to `repreneur_id`.

    To nobody for None, and of a case that this person may not read. 409 as `desactiver`, 422 for who is not active in
    the team. Asked again, it goes on with the cases that are left.
    """
    comptes.tenir_avec_les_admins(compte.pk, *([] if repreneur_id is None else [repreneur_id]))
    repreneur = _repreneur(compte, repreneur_id)
    compte.refresh_from_db()
    etait_actif = compte.est_actif
    if etait_actif:  # of an account that was erased since, the cases are still there
        comptes.desactiver(compte=compte, acteur=acteur)
    tenus = dossiers_tenus(acteur, compte)
    confies = rendus = 0
    cles = list(tenus.values_list("pk", flat=True)[:LOT])  # in the order of the list, which an index has
    for dossier in verrouiller_dans_l_ordre(tenus.filter(pk__in=cles)):
        if repreneur is not None and Acces.de(dossier).admet(repreneur.pk):
            services.assigner(signalement=dossier, gestionnaire_id=repreneur.pk, acteur=acteur)
            confies += 1
        else:
            services.rendre(signalement=dossier, acteur=acteur)
            rendus += 1
    return Depart(etait_actif, confies, rendus, tenus.exists())


def _repreneur(compte: Compte, repreneur_id: UUID | None) -> Compte | None:
    if repreneur_id is None:
        return None
    repreneur = Compte.objects.equipe_active().exclude(pk=compte.pk).filter(pk=repreneur_id).first()
    if repreneur is None:
        raise ChampsInvalides.pour(repreneurId=_("Choisissez une personne active de l'équipe."))
    return repreneur
