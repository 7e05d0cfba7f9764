from typing import Any

from django.dispatch import receiver

from config.realtime.canaux import PERSONNEL, PUBLIC
from config.realtime.diffusion import publier
from signalements.models import EntreeTimeline, Signalement
from signalements.serializers import NoteDetail, entree_pour_autrui, pour_equipe, sans_l_equipe
from signalements.signals import entree_ajoutee, note_ajoutee, signalement_assigne, signalement_cree, statut_modifie
from signalements.vocabulaire import TypeEntree


@receiver(signalement_cree)
def publier_creation(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    publier("signalement_created", ["signalements"], pour_equipe(signalement))


@receiver(statut_modifie)
def publier_statut(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _publier_dossier("signalement_statut_updated", signalement)


@receiver(signalement_assigne)
def publier_assignation(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _publier_dossier("signalement_assigned", signalement)


@receiver(note_ajoutee)
def publier_note(sender: Any, signalement: Signalement, note: EntreeTimeline, **kwargs: Any) -> None:
    publier("signalement_note_added", signalement.canaux("signalement"), NoteDetail(note).data, audience=PERSONNEL)


@receiver(entree_ajoutee)
def publier_entree(sender: Any, signalement: Signalement, entree: EntreeTimeline, **kwargs: Any) -> None:
    audience = PERSONNEL if entree.type == TypeEntree.NOTE else PUBLIC
    payload = entree_pour_autrui(signalement, entree)
    publier("signalement_timeline_updated", signalement.canaux("signalement"), payload, audience=audience)


def _publier_dossier(type_: str, signalement: Signalement) -> None:
    forme = pour_equipe(signalement)
    publier(type_, signalement.canaux("signalement"), sans_l_equipe(forme))
    publier(type_, ["signalements"], forme)
