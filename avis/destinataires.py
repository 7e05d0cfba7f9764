"""The people whom a notice concerns, then and when it would be mailed: by one rule of reading, that of the case."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from accounts.models import Compte
from accounts.vocabulaire import NatureAvis
from avis.models import Avis
from signalements.lecteurs import Acces, deplacables
from signalements.models import Signalement
from signalements.vocabulaire import JOURS_AVANT, Priorite
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from socle.domaine.temps import jour_du_campus

PERSONNE = UUID(int=0)
A_TOUS = (NatureAvis.NOUVEAU_DOSSIER, NatureAvis.ECHEANCE_DU_JOUR)  # told to all who read the case
# What a notice says is still true for this account, of the case as it reads it now; else it is not mailed.
ENCORE: dict[str, Callable[[Any, Compte], bool]] = {
    NatureAvis.NOUVEAU_DOSSIER: lambda dossier, compte: dossier.gestionnaire_id is None and not dossier.est_resolu,
    NatureAvis.DOSSIER_CRITIQUE: lambda dossier, compte: (
        dossier.priorite == Priorite.CRITICAL and not dossier.est_resolu
    ),
    NatureAvis.DOSSIER_CONFIE: lambda dossier, compte: dossier.gestionnaire_id == compte.pk,
    NatureAvis.DOSSIER_REPRIS: lambda dossier, compte: dossier.gestionnaire_id != compte.pk,
    NatureAvis.ECHEANCE_PROCHE: lambda dossier, compte: _une_date_vient(dossier),
    NatureAvis.ECHEANCE_DU_JOUR: lambda dossier, compte: _une_date_vient(dossier),
    NatureAvis.ECHEANCE_DEPASSEE: lambda dossier, compte: _une_date_est_passee(dossier),
    NatureAvis.MESSAGE: lambda dossier, compte: dossier.messages_non_lus_count > 0,
}


def de(avis: Avis, dossier: Signalement) -> list[Compte]:
    """The members of the team to tell, with their preferences: whom it is for, the handler, else all who may read it.

    Neither whoever did it nor the author of the case, who may be of the team.
    """
    acces = Acces.de(dossier)
    if avis.nature == NatureAvis.ECHEANCE_DEPASSEE:  # beyond those who were told of it, and let it pass
        return list(acces.recours_pour(dossier).select_related("preferences").order_by("pk"))
    lecteurs = acces.lecteurs()
    a_dire = lecteurs.exclude(pk__in=[avis.par or PERSONNE, dossier.compte_id or PERSONNE])
    if avis.vers is not None:
        a_dire = a_dire.filter(pk=avis.vers)
    elif avis.nature not in A_TOUS and lecteurs.filter(pk=dossier.gestionnaire_id).exists():
        a_dire = a_dire.filter(pk=dossier.gestionnaire_id)
    return list(a_dire.select_related("preferences").order_by("pk"))


def lisibles(compte: Compte, avis: Iterable[Avis]) -> dict[UUID, Signalement]:
    """Cases of these notices that the account reads now as the team, by key; one's own is none of them."""
    acteur = ActeurCompte(compte=compte)
    if not (compte.est_actif and acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS)):
        return {}
    lignes = Signalement.objects.pour_lecture(acteur).visibles_par(acteur).exclude(compte=compte)
    return {dossier.pk: dossier for dossier in lignes.filter(pk__in={un.objet for un in avis})}


def connus_par(compte: Compte, avis: Iterable[Avis]) -> dict[UUID, Signalement]:
    """Cases past a date of these notices, by key, that an administrator may know of, whether they read them or not."""
    cles = {un.objet for un in avis if un.nature == NatureAvis.ECHEANCE_DEPASSEE}
    vivants = Signalement.objects.vivants().filter(pk__in=cles)
    return {un.pk: un for un in deplacables(vivants, ActeurCompte(compte=compte)).order_by("pk")}


def encore_a_dire(compte: Compte, avis: Iterable[Avis], dossiers: dict[UUID, Signalement]) -> list[Avis]:
    """Filter these notices of the account, whose `lisibles` are given: what happened has not been seen to since."""
    return [un for un in avis if un.objet in dossiers and ENCORE[un.nature](dossiers[un.objet], compte)]


def _une_date_vient(dossier: Signalement) -> bool:
    jour = dossier.prochaine_echeance
    return jour is not None and jour <= jour_du_campus() + JOURS_AVANT


def _une_date_est_passee(dossier: Signalement) -> bool:
    return dossier.prochaine_echeance is not None and dossier.prochaine_echeance < jour_du_campus()
