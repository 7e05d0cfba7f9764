"""Who acts: a user or a guest, never both, never nobody."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models

from socle.domaine.droits import DROITS_INVITE, Droit, a_le_droit
from socle.domaine.registre import Registre

if TYPE_CHECKING:
    from accounts.models import Compte
    from guests.models import SessionInvitee


class SourceActeur(models.TextChoices):
    AUTH_USER = "AUTH_USER"
    GUEST = "GUEST"


# SourceActeur.GUEST -> (acteur, exclusif) -> None: holds the actor's row for the transaction, or refuses. No merge
# takes anything from an account: it is held by nobody.
verrou_acteur: Registre[Callable[..., None]] = Registre("verrou d'un acteur", attendus=[SourceActeur.GUEST])


@dataclass(frozen=True)
class Acteur:
    """One valid actor of a business act. `guest_id` is the secret a guest presented, for their own eyes only."""

    compte: "Compte | None" = None
    invite: "SessionInvitee | None" = None
    guest_id: UUID | None = field(default=None, repr=False)
    session_id: UUID | None = None
    expire: datetime | None = None

    def __post_init__(self) -> None:
        if (self.compte is None) == (self.invite is None):
            raise ValueError("Un acteur est un compte ou une session invitée, exactement un des deux.")

    @property
    def est_invite(self) -> bool:
        return self.invite is not None

    @property
    def source(self) -> SourceActeur:
        return SourceActeur.GUEST if self.est_invite else SourceActeur.AUTH_USER

    @property
    def cle(self) -> str:
        """Names the actor in counters and tables of this service; holds no secret."""
        return f"invite:{self.invite.pk}" if self.invite is not None else f"compte:{self.compte.pk}"  # type: ignore[union-attr]

    @property
    def proprietaire(self) -> dict[str, Any]:
        """The columns of `AvecActeur` for this actor."""
        return {"compte": self.compte, "invite": self.invite}

    def peut(self, droit: Droit) -> bool:
        return droit in DROITS_INVITE if self.compte is None else a_le_droit(self.compte.role, droit)

    def possede(self, objet: Any) -> bool:
        """True when the row of an `AvecActeur` model is this actor's own."""
        if self.invite is not None:
            return bool(objet.invite_id == self.invite.pk)
        return self.compte is not None and bool(objet.compte_id == self.compte.pk)

    def verrouiller(self, *, exclusif: bool = False) -> None:
        """Hold the actor for this transaction: what it writes lands on the right side of a merge, or is refused."""
        if self.est_invite:
            verrou_acteur[SourceActeur.GUEST](self, exclusif=exclusif)
