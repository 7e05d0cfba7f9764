"""Actors: an account or a guest session, never both, never neither."""

from abc import abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Protocol
from uuid import UUID

from django.db import models
from django.utils.functional import cached_property

from socle.domaine.droits import DROITS_INVITE, Droit, droits_de
from socle.domaine.registre import Registre
from socle.moteur.lectures import CleAttendue, Personne


class SourceActeur(models.TextChoices):
    AUTH_USER = "AUTH_USER"
    GUEST = "GUEST"


# Seam: SourceActeur.GUEST -> (acteur, exclusif) -> None, which locks the actor's row for the transaction, or refuses.
# Accounts have no entry: a merge takes nothing from them.
verrou_acteur: Registre[Callable[..., None]] = Registre("verrou d'un acteur", attendus=[SourceActeur.GUEST])


class UnCompte(Protocol):
    """The attributes of an account that actors use."""

    pk: UUID

    @property
    def role(self) -> str: ...


class UneSession(Protocol):
    """The attributes of a guest session that actors use."""

    pk: UUID


class Acteur(Personne):
    """The valid actor of a business act: an `ActeurCompte` or an `ActeurInvite`."""

    source: ClassVar[SourceActeur]
    compte: Any
    invite: Any
    session_id: UUID | None
    expire: datetime | None
    guest_id: UUID | None

    @property
    def est_invite(self) -> bool:
        return self.source == SourceActeur.GUEST

    @property
    @abstractmethod
    def pk(self) -> UUID:
        """Key of the account or of the guest session."""

    @property
    @abstractmethod
    def identifiant(self) -> str:
        """The id under which the actor, and nobody else unless it is named, sees its own rows."""

    @property
    @abstractmethod
    def droits(self) -> frozenset[Droit]: ...

    @property
    def forme(self) -> Hashable:
        return self.source, self.droits

    @property
    @abstractmethod
    def cle(self) -> str:
        """Key of the actor in counters and keyed hashes, `compte:<pk>` or `invite:<pk>`; holds no secret."""

    @property
    def proprietaire(self) -> dict[str, Any]:
        """The columns of `AvecActeur` for this actor."""
        return {"compte": self.compte, "invite": self.invite}

    @abstractmethod
    def peut(self, droit: Droit) -> bool: ...

    @abstractmethod
    def possede(self, objet: Any) -> bool:
        """True when the row of an `AvecActeur` model is this actor's own."""

    @abstractmethod
    def verrouiller(self, *, exclusif: bool = False) -> None:
        """Lock the actor for this transaction: its writes come wholly before a merge, or are refused after it."""


@dataclass(frozen=True)
class ActeurCompte(Acteur):
    source = SourceActeur.AUTH_USER
    invite: None = field(default=None, init=False, repr=False)
    guest_id: None = field(default=None, init=False, repr=False)

    compte: UnCompte
    session_id: UUID | None = None
    expire: datetime | None = None

    @cached_property
    def pk(self) -> UUID:
        return self.compte.pk

    @cached_property
    def identifiant(self) -> str:
        return str(self.pk)

    @property
    def droits(self) -> frozenset[Droit]:
        return droits_de(self.compte.role)

    @cached_property
    def cle(self) -> str:
        return f"compte:{self.identifiant}"

    def sans_nom(self, cle: CleAttendue) -> "ActeurCompte":
        cle.role = self.compte.role
        return ActeurCompte(compte=cle)  # type: ignore[arg-type]

    def peut(self, droit: Droit) -> bool:
        return droit in droits_de(self.compte.role)

    def possede(self, objet: Any) -> bool:
        return bool(objet.compte_id == self.pk)

    def verrouiller(self, *, exclusif: bool = False) -> None:
        """The null lock: no merge takes anything from an account."""


@dataclass(frozen=True)
class ActeurInvite(Acteur):
    source = SourceActeur.GUEST
    compte: None = field(default=None, init=False, repr=False)
    session_id: None = field(default=None, init=False, repr=False)
    expire: None = field(default=None, init=False, repr=False)

    invite: UneSession
    guest_id: UUID | None = field(default=None, repr=False)  # the secret that the guest presented, for their eyes alone

    @cached_property
    def pk(self) -> UUID:
        return self.invite.pk

    @cached_property
    def identifiant(self) -> str:
        return str(self.guest_id)

    @property
    def droits(self) -> frozenset[Droit]:
        return DROITS_INVITE

    @cached_property
    def cle(self) -> str:
        return f"invite:{self.pk!s}"

    def sans_nom(self, cle: CleAttendue) -> "ActeurInvite":
        return ActeurInvite(invite=cle)  # type: ignore[arg-type]

    def peut(self, droit: Droit) -> bool:
        return droit in DROITS_INVITE

    def possede(self, objet: Any) -> bool:
        return bool(objet.invite_id == self.pk)

    def verrouiller(self, *, exclusif: bool = False) -> None:
        verrou_acteur[SourceActeur.GUEST](self, exclusif=exclusif)
