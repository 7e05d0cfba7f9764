"""Identity of a socket and its right to a channel; the reader of credentials is injected by the assembly in config/."""

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
    """Refusal with the close code of the socket: 4001 (no valid identity), 4003 (no access), 1013 (try again later)."""

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
    """Credentials of a socket: its query parameters, and the ASGI scope with the headers that a browser sends."""

    parametres: Mapping[str, str]
    scope: Mapping[str, Any]


# Asked at the opening and again later, in a thread.
Identifier = Callable[[Demande], Identite]
# Asked once, at the opening, with the ASGI scope: returns, or raises IdentiteRefusee.
Admettre = Callable[[dict[str, Any]], None]


# Batch check: identities -> those that are unchanged, role included; each of the others is then checked alone.
Revoir = Callable[[list[Identite]], Container[Identite]]


def aucune(identites: list[Identite]) -> list[Identite]:
    """The null `Revoir`: vouches for none, so that each socket is checked alone."""
    return []


class Ecoute(NamedTuple):
    """An identity, its audiences on the channel, and the newest event numbers from before it was established.

    `canal` is the channel that the one asked for led to then. `depart` counts the events of the whole service and is
    never sent; `dernier` is the newest audible on the channel, and is sent to the client.
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
    """`verifier` with a start cursor, read before the check, which has thus seen every older order to close."""
    numeroter()
    depart = CompteurEvenements.lire().dernier_numero
    ecoute = verifier(identifier, demande, canal)
    mene = mener(canal)
    return ecoute._replace(depart=depart, dernier=plus_recent({mene}, ecoute.audiences, depart), canal=mene)
