"""Who is at the other end of a socket. How credentials are read is given from outside, by `config/asgi.py`."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from socle.domaine.acteurs import Acteur
from socle.realtime.canaux import audiences, mener
from socle.realtime.models import CompteurEvenements
from socle.realtime.numerotation import numeroter
from socle.realtime.relecture import plus_recent
from socle.realtime.vocabulaire import FERMETURE_ACCES, FERMETURE_IDENTITE


class IdentiteRefusee(Exception):
    """Raised with the code that ends the socket: 4001 (who are you?) or 4003 (not for you)."""

    def __init__(self, code: int = FERMETURE_IDENTITE) -> None:
        self.code = code
        super().__init__(code)


@dataclass(frozen=True)
class Identite:
    """An actor and what ends their sockets; `invite_id` is the row's id, never the secret of the guest."""

    acteur: Acteur
    expire: datetime | None = None
    session_id: UUID | None = None
    compte_id: UUID | None = None
    invite_id: UUID | None = None

    @property
    def personne(self) -> str:
        return f"compte:{self.compte_id}" if self.compte_id else f"invite:{self.invite_id}"

    def est_visee(self, ordre: dict[str, Any]) -> bool:
        cles = {"sessions": self.session_id, "comptes": self.compte_id, "invites": self.invite_id}
        return any(str(cle) in ordre.get(quoi, ()) for quoi, cle in cles.items() if cle is not None)


class Demande(NamedTuple):
    """What a socket presents: its query string and, for what a browser sends of itself, the ASGI scope."""

    parametres: Mapping[str, str]
    scope: Mapping[str, Any]


# Asked at the opening and again later, in a thread.
Identifier = Callable[[Demande], Identite]
# Asked once, at the opening, with the ASGI scope: returns, or raises IdentiteRefusee.
Admettre = Callable[[dict[str, Any]], None]


# Asked again of many at once: those that are as they were, the role included; of the others each is asked alone.
Revoir = Callable[[list[Identite]], Container[Identite]]


def aucune(identites: list[Identite]) -> list[Identite]:
    """A `Revoir` that leaves each to be asked alone."""
    return []


class Ecoute(NamedTuple):
    """An identity, what it may hear on the channel, and the newest number from before it was established.

    `canal` is the one that the channel led to then. `depart` is of the whole service and stays here; `dernier`, of what
    is heard on the channel, is told.
    """

    identite: Identite
    audiences: list[str]
    depart: int = 0
    dernier: int = 0
    canal: str = ""


def verifier(identifier: Identifier, demande: Demande, canal: str) -> Ecoute:
    """Identify, then ask the channel's rule; raises IdentiteRefusee."""
    identite = identifier(demande)
    ecoutees = audiences(identite.acteur, canal)
    if not ecoutees:
        raise IdentiteRefusee(FERMETURE_ACCES)
    return Ecoute(identite, ecoutees)


def etablir(identifier: Identifier, demande: Demande, canal: str) -> Ecoute:
    """The same, with the number to start from: an order to close that is older has been seen by this check."""
    numeroter()
    depart = CompteurEvenements.lire().dernier_numero
    ecoute = verifier(identifier, demande, canal)
    mene = mener(canal)
    return ecoute._replace(depart=depart, dernier=plus_recent({mene}, ecoute.audiences, depart), canal=mene)
