"""The words of a merge, which every app that has rows to merge shares."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _


class Niveau(models.TextChoices):
    SIGNALEMENT = "SIGNALEMENT", _("Signalement")
    DISCUSSION = "DISCUSSION", _("Discussion")


class Action(models.TextChoices):
    KEEP_TARGET = "KEEP_TARGET", _("Garder le contenu du compte")
    KEEP_GUEST = "KEEP_GUEST", _("Garder le contenu de la session invitée")
    MERGE_FIELDS = "MERGE_FIELDS", _("Compléter le contenu du compte")
    SKIP = "SKIP", _("Garder les deux")


class Motif(models.TextChoices):
    """Why two things may be one, the strongest first."""

    REFERENCE = "REFERENCE", _("Même référence")
    FINGERPRINT = "FINGERPRINT", _("Mêmes faits")
    SAME_REPORT = "SAME_REPORT", _("Même dossier")
    SAME_REFERENCE = "SAME_REFERENCE", _("Dossiers de même référence")
    SAME_TITLE = "SAME_TITLE", _("Même titre")


FORCE = list(Motif)
# Of one thing of the guest: the strongest and oldest; a case sent a thousand times must not make a million conflicts.
PAIRES_MAX = 20


@dataclass(frozen=True)
class Paire:
    """A thing of the guest and one of the account that may be the same."""

    niveau: Niveau
    source: Any
    cible: Any
    motif: Motif
    actions: tuple[Action, ...] = tuple(Action)

    @property
    def cle(self) -> tuple[UUID, UUID]:
        return self.source.pk, self.cible.pk

    @property
    def conflit(self) -> dict[str, Any]:
        return {
            "level": self.niveau.value,
            "guestEntityId": str(self.source.pk),
            "targetEntityId": str(self.cible.pk),
            "reason": self.motif.value,
            "allowedActions": [action.value for action in self.actions],
        }


@dataclass(frozen=True)
class Decision:
    """What becomes of one pair."""

    paire: Paire
    action: Action

    @property
    def joint(self) -> bool:
        return self.action is not Action.SKIP


def rapprocher(*propositions: tuple[Motif, list[Any]]) -> Iterator[tuple[Any, Motif]]:
    """Each target once, with its strongest reason: propositions come strongest first, their targets oldest first."""
    motifs: dict[UUID, tuple[Any, Motif]] = {}
    for motif, cibles in propositions:
        for cible in cibles[:PAIRES_MAX]:
            motifs.setdefault(cible.pk, (cible, motif))
    yield from list(motifs.values())[:PAIRES_MAX]


def par_source(paires: Iterable[Paire]) -> Iterator[list[Paire]]:
    """The pairs of each thing of the guest, the oldest thing first; the strongest reason, then the oldest target."""
    groupes: dict[UUID, list[Paire]] = {}
    for paire in sorted(paires, key=lambda p: (age(p.source), FORCE.index(p.motif), age(p.cible))):
        groupes.setdefault(paire.source.pk, []).append(paire)
    yield from groupes.values()


def age(ligne: Any) -> tuple[Any, UUID]:
    """What orders things, the oldest first."""
    return ligne.date_creation, ligne.pk
