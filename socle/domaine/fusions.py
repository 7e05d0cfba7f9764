"""Types shared by the apps whose rows a merge moves: pairs, decisions, bounds, and the Protocol that each offers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, TypedDict, TypeVar
from uuid import UUID

from django.db import models
from django.db.models import QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _

from socle.domaine.registre import Registre


class Niveau(models.TextChoices):
    SIGNALEMENT = "SIGNALEMENT", _("Signalement")
    DISCUSSION = "DISCUSSION", _("Discussion")


class Action(models.TextChoices):
    KEEP_TARGET = "KEEP_TARGET", _("Garder le contenu du compte")
    KEEP_GUEST = "KEEP_GUEST", _("Garder le contenu de la session invitée")
    MERGE_FIELDS = "MERGE_FIELDS", _("Compléter le contenu du compte")
    SKIP = "SKIP", _("Garder les deux")


class Motif(models.TextChoices):
    """Reason why two rows may be the same, the strongest first."""

    REFERENCE = "REFERENCE", _("Même référence")
    FINGERPRINT = "FINGERPRINT", _("Mêmes faits")
    SAME_REPORT = "SAME_REPORT", _("Même dossier")
    SAME_REFERENCE = "SAME_REFERENCE", _("Dossiers de même référence")
    SAME_TITLE = "SAME_TITLE", _("Même titre")


# Bounds on reads, comparisons and answers, for each level: rows of the guest, the oldest first; conflicts of them all;
# conflicts of one row, the strongest and oldest. One call can settle the rows of both levels.
ELEMENTS_MAX = 500
CONFLITS_MAX = 1_000
PAIRES_MAX = 20
LIGNES_MAX = 500  # that one statement writes, each with its own values
VIDES = (None, "", False)


# Of every table: a merge moves the owner, and links what it joins to the row that lives on.
COMMUNES = ("id", "date_creation", "absorbe_par", "compte", "invite", "fusionne_de")
# (target, source, action) -> what the target has from now on.
Reunion = Callable[[Any, Any, Action], Any]


@dataclass(frozen=True)
class Colonnes:
    """Rule of a merge for each column of a table, `COMMUNES` apart: whoever adds one says which of these it is."""

    portees: dict[str, Reunion] = field(default_factory=dict)  # made of both rows
    recalculees: tuple[str, ...] = ()  # out of what was made, or of what was moved
    gardees: tuple[str, ...] = ()  # each row's own

    @property
    def rendues(self) -> tuple[str, ...]:
        """Columns that the way back puts as they were: not when the row was last touched, which it touches."""
        return tuple(nom for nom in self.portees if nom != "date_modification")

    @property
    def toutes(self) -> list[str]:
        return [*self.portees, *self.recalculees, *self.gardees]

    def porter(self, source: Any, cible: Any, action: Action) -> None:
        """Give the target what is made of both."""
        valeurs = {nom: reunir(cible, source, action) for nom, reunir in self.portees.items()}
        for nom, valeur in valeurs.items():
            setattr(cible, cible._meta.get_field(nom).attname, valeur)


# Label of a model -> what a merge does to its columns.
colonnes: Registre[Colonnes] = Registre("colonnes d'une fusion")


def selon_l_action(nom: str) -> Reunion:
    """The guest's where that is kept, or where it completes what the account has left empty."""

    def choisir(cible: Any, source: Any, action: Action) -> Any:
        sien, autre = getattr(cible, nom), getattr(source, nom)
        return autre if action is Action.KEEP_GUEST or (action is Action.MERGE_FIELDS and sien in VIDES) else sien

    return choisir


def la_plus_recente(cible: Any, source: Any, action: Action) -> Any:
    """For `date_modification`."""
    return max(cible.date_modification, source.date_modification)


@dataclass(frozen=True)
class Paire:
    """A row of the guest (`source`) and one of the account (`cible`) that may be the same."""

    niveau: Niveau
    source: Any
    cible: Any
    motif: Motif
    actions: tuple[Action, ...] = tuple(Action)
    egards: tuple[Any, ...] = ()  # other inputs of a decision, as JSON values

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
class Groupe:
    """The pairs of one row of the guest, the strongest reason first, then the oldest; more exist unless `complet`."""

    paires: list[Paire]
    complet: bool


@dataclass(frozen=True)
class Rencontres:
    """The groups of a guest's rows, the oldest row first; more exist unless `toutes`."""

    groupes: list[Groupe] = field(default_factory=list)
    toutes: bool = True

    @property
    def paires(self) -> list[Paire]:
        return [paire for groupe in self.groupes for paire in groupe.paires]

    @property
    def completes(self) -> bool:
        return self.toutes and all(groupe.complet for groupe in self.groupes)


@dataclass(frozen=True)
class Decision:
    """The action decided for one pair."""

    paire: Paire
    action: Action

    @property
    def joint(self) -> bool:
        return self.action is not Action.SKIP


class Etats(TypedDict):
    """The columns of an absorbing row, as `Absorbable.etat` gives them, before the merge and after it."""

    avant: dict[str, Any]
    apres: dict[str, Any]


L = TypeVar("L")  # the rows of an app
R = TypeVar("R", contravariant=True)  # the record that it stores for its way back


class Rattachable(Protocol[L, R]):
    """Protocol of the module `fusion` of an app whose rows a merge moves."""

    def compter(self, **proprietaire: Any) -> dict[str, int]:
        """Count an owner's rows, by the names of the contract."""

    def a_nommer(self, invite: Any) -> Any:
        """The guest's rows that a merge will show under the account's name, the newest first."""

    def verrouiller(self, invite: Any, concernes: Iterable[UUID], /) -> dict[UUID, L]:
        """Lock the guest's rows and these, in the order of their ids; return them by id."""

    def obstacles(self, invite: Any, compte: Any, retour: R, lignes: dict[UUID, L]) -> list[str]:
        """The changes since the merge that prevent its undoing, in words for the operator; [] when none does."""

    def detacher(self, invite: Any, compte: Any, retour: R, lignes: dict[UUID, L]) -> None:
        """Undo the app's `rattacher` from the record it stored."""


def part_de(elements: int) -> int:
    """Divide CONFLITS_MAX among this many rows: at most PAIRES_MAX conflicts for each."""
    return min(PAIRES_MAX, CONFLITS_MAX // max(elements, 1))


def premieres(lignes: QuerySet[Any], nombre: int, *, par: str, ordre: Iterable[str]) -> QuerySet[Any]:
    """Window function: keep the first `nombre` rows, in this order, of each value of the column `par`."""
    rang = Window(RowNumber(), partition_by=[par], order_by=list(ordre))
    retenues: QuerySet[Any] = lignes.annotate(rang=rang).filter(rang__lte=nombre)
    return retenues


def rapprocher(part: int, *propositions: tuple[Motif, list[Any]]) -> tuple[list[tuple[Any, Motif]], bool]:
    """Deduplicate targets: `([(target, strongest reason)], complete)`, at most `part` of them.

    Propositions come strongest first, their targets oldest first, with one beyond `part` where there are more.
    """
    motifs: dict[UUID, tuple[Any, Motif]] = {}
    for motif, cibles in propositions:
        for cible in cibles[:part]:
            motifs.setdefault(cible.pk, (cible, motif))
    completes = len(motifs) <= part and all(len(cibles) <= part for _motif, cibles in propositions)
    return list(islice(motifs.values(), part)), completes


def age(ligne: Any) -> tuple[Any, UUID]:
    """Sort key of rows, the oldest first: `(date_creation, pk)`."""
    return ligne.date_creation, ligne.pk
