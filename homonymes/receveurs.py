"""Receivers of what gives a case a presumed author, or a member of the staff a name."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils import timezone

from accounts.models import Compte
from accounts.signals import nomme_dans_l_equipe
from homonymes.lectures import sont_compares
from homonymes.permissions import a_decider
from homonymes.services import noter, rapprocher
from homonymes.suites import rapprocher_la_suite
from homonymes.tasks import prevenir_d_un_nom
from homonymes.vocabulaire import DEBUT, ENCORE
from signalements.models import Signalement
from signalements.signals import dossiers_joints, dossiers_rendus, signalement_cree
from socle.domaine.acteurs import ActeurCompte


@receiver(signalement_cree)
def noter_les_noms_d_un_nouveau(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    if signalement.auteur_presume:
        noter(signalement)


@receiver(dossiers_joints)
def noter_les_noms_d_un_dossier_joint(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    for signalement in Signalement.objects.filter(pk__in=set(chemins.values())).order_by("pk"):
        noter(signalement, [de for de, vers in chemins.items() if vers == signalement.pk])


@receiver(dossiers_rendus)
def noter_les_noms_d_un_dossier_rendu(sender: Any, dossiers: list[Signalement], **kwargs: Any) -> None:
    for signalement in dossiers:
        noter(signalement)


@receiver(nomme_dans_l_equipe)
def rapprocher_un_compte(sender: Any, compte: Compte, entre: bool, **kwargs: Any) -> None:
    """Compare who enters the team in that transaction, for the first cases, which are nearly always all: no case that
    names them is theirs to read for an instant. The rest, and a new name, in the background: its answer tells nothing.

    And all again once what was being reported at that moment, by somebody who did not see this name yet, is written.
    An administrator who enters is told of what waits for a decision.
    """
    if sont_compares():
        dernier = rapprocher(compte) if entre else DEBUT
        if dernier is not None:
            rapprocher_la_suite.enqueue(f"{compte.pk} {dernier}")
        rapprocher_la_suite.using(run_after=timezone.now() + ENCORE).enqueue(f"{compte.pk} {DEBUT}")
    if entre and a_decider(ActeurCompte(compte=compte)).exists():
        prevenir_d_un_nom.enqueue(str(compte.pk))
