from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.dispatch import receiver

from signalements.models import EntreeTimeline, Signalement
from signalements.serializers import NoteDetail, SignalementDetail, entree_pour_autrui, pour_equipe, sans_l_equipe
from signalements.signals import (
    dossiers_joints,
    historique_complete,
    note_ajoutee,
    signalement_assigne,
    signalement_cree,
    statut_modifie,
)
from signalements.vocabulaire import TypeEntree
from socle.realtime.canaux import PERSONNEL, PUBLIC
from socle.realtime.diffusion import annoncer, rediriger
from socle.realtime.enveloppe import masquer_a
from socle.realtime.models import Evenement


@receiver(signalement_cree)
def publier_creation(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer([_pour_l_equipe("signalement_created", signalement), *_histoire(signalement, entrees)])


@receiver(statut_modifie)
def publier_statut(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer([*_dossier("signalement_statut_updated", signalement), *_histoire(signalement, entrees)])


@receiver(signalement_assigne)
def publier_assignation(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer([*_dossier("signalement_assigned", signalement), *_histoire(signalement, entrees)])


@receiver(note_ajoutee)
def publier_note(sender: Any, signalement: Signalement, note: EntreeTimeline, **kwargs: Any) -> None:
    payload = NoteDetail(note).data
    ajoutee = Evenement(
        type="signalement_note_added", canal=_canal(signalement.pk), payload=payload, audience=PERSONNEL
    )
    annoncer([ajoutee, *_histoire(signalement, [note])])


@receiver(historique_complete)
def publier_histoire(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer(_histoire(signalement, entrees))


@receiver(dossiers_joints)
def mener_leurs_canaux(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    rediriger({_canal(de): _canal(vers) for de, vers in chemins.items()})


def _dossier(type_: str, signalement: Signalement) -> Iterator[Evenement]:
    forme = sans_l_equipe(pour_equipe(signalement))
    yield Evenement(type=type_, canal=_canal(signalement.pk), payload=forme)
    yield _pour_l_equipe(type_, signalement)


def _pour_l_equipe(type_: str, signalement: Signalement) -> Evenement:
    """Staff event with a mask for its owner, who may be of the team: they are not told who handles their case."""
    masque = masquer_a(signalement.compte_id, signalement.pk, SignalementDetail.caches)
    return Evenement(type=type_, canal="signalements", payload=pour_equipe(signalement), masque=masque)


def _histoire(signalement: Signalement, entrees: Iterable[EntreeTimeline]) -> Iterator[Evenement]:
    for entree in entrees:
        audience = PERSONNEL if entree.type == TypeEntree.NOTE else PUBLIC
        payload = entree_pour_autrui(signalement, entree)
        canal = _canal(signalement.pk)
        yield Evenement(type="signalement_timeline_updated", canal=canal, payload=payload, audience=audience)


def _canal(pk: UUID) -> str:
    return f"signalement:{pk}"
