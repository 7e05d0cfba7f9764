from typing import Any
from uuid import UUID

from django.dispatch import receiver

from signalements.models import EntreeTimeline, Signalement
from signalements.serializers import NoteDetail, SignalementDetail, entree_pour_autrui, pour_equipe, sans_l_equipe
from signalements.signals import (
    dossiers_joints,
    entree_ajoutee,
    note_ajoutee,
    signalement_assigne,
    signalement_cree,
    statut_modifie,
)
from signalements.vocabulaire import TypeEntree
from socle.realtime.canaux import PERSONNEL, PUBLIC
from socle.realtime.diffusion import publier, rediriger
from socle.realtime.enveloppe import masquer_a


@receiver(signalement_cree)
def publier_creation(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _publier_a_l_equipe("signalement_created", signalement, pour_equipe(signalement))


@receiver(statut_modifie)
def publier_statut(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _publier_dossier("signalement_statut_updated", signalement)


@receiver(signalement_assigne)
def publier_assignation(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _publier_dossier("signalement_assigned", signalement)


@receiver(note_ajoutee)
def publier_note(sender: Any, signalement: Signalement, note: EntreeTimeline, **kwargs: Any) -> None:
    publier("signalement_note_added", [_canal(signalement.pk)], NoteDetail(note).data, audience=PERSONNEL)


@receiver(entree_ajoutee)
def publier_entree(sender: Any, signalement: Signalement, entree: EntreeTimeline, **kwargs: Any) -> None:
    audience = PERSONNEL if entree.type == TypeEntree.NOTE else PUBLIC
    payload = entree_pour_autrui(signalement, entree)
    publier("signalement_timeline_updated", [_canal(signalement.pk)], payload, audience=audience)


@receiver(dossiers_joints)
def mener_leurs_canaux(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    rediriger({_canal(de): _canal(vers) for de, vers in chemins.items()})


def _publier_dossier(type_: str, signalement: Signalement) -> None:
    forme = pour_equipe(signalement)
    publier(type_, [_canal(signalement.pk)], sans_l_equipe(forme))
    _publier_a_l_equipe(type_, signalement, forme)


def _publier_a_l_equipe(type_: str, signalement: Signalement, forme: dict[str, Any]) -> None:
    """Its owner may be of the team: who handles their own case is not told to them."""
    publier(
        type_,
        ["signalements"],
        forme,
        masque=masquer_a(signalement.compte_id, signalement.pk, SignalementDetail.caches),
    )


def _canal(pk: UUID) -> str:
    return f"signalement:{pk}"
