"""Identity of a socket and its right to a channel; the reader of credentials is injected by the assembly in config/."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qsl
from uuid import UUID

from socle.domaine.acteurs import Acteur
from socle.domaine.provenance import requete_courante
from socle.erreurs import ServiceIndisponible
from socle.realtime.canaux import Ouverture, audiences, ouvrir
from socle.realtime.numerotation import dernier_numero
from socle.realtime.relecture import plus_recents
from socle.realtime.vocabulaire import (
    EN_PROTOCOLE,
    FERMETURE_ACCES,
    FERMETURE_IDENTITE,
    FERMETURE_REESSAYER,
    PROTOCOLE,
)


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


IDENTIFIANTS = frozenset({"token", "guestId"})


class DemandeDeSocket(NamedTuple):
    """Credentials of a socket: its query parameters, and the ASGI scope with the headers that a browser sends.

    `token` and `guestId` are there wherever they were given: of the query, the headers and the sub-protocols, the first
    that names anybody. A page of the portal, which says so in the query, is known by its cookie alone.
    """

    parametres: Mapping[str, str]
    scope: Mapping[str, Any]

    @classmethod
    def de(cls, scope: Mapping[str, Any]) -> "DemandeDeSocket":
        en_question = dict(parse_qsl(scope["query_string"].decode("utf-8", "replace")))
        if "portail" in en_question or not IDENTIFIANTS.isdisjoint(en_question):
            return cls(en_question, scope)
        return cls({**(_en_tete(scope) or _en_protocole(scope)), **en_question}, scope)

    @property
    def protocole(self) -> str | None:
        """The sub-protocol to choose; None where the client does not offer it, and hears without."""
        return PROTOCOLE if PROTOCOLE in self.scope.get("subprotocols", ()) else None


def _en_tete(scope: Mapping[str, Any]) -> dict[str, str]:
    """Credentials as a request has them: `Authorization: Bearer`, `X-Guest-Id`."""
    entetes = {nom: valeur.decode("latin-1").strip() for nom, valeur in scope.get("headers", ())}
    genre, _espace, jeton = entetes.get(b"authorization", "").partition(" ")
    donnes = {
        "token": jeton.strip() if genre.lower() == "bearer" else "",
        "guestId": entetes.get(b"x-guest-id", ""),
    }
    return {nom: valeur for nom, valeur in donnes.items() if valeur}


def _en_protocole(scope: Mapping[str, Any]) -> dict[str, str]:
    offerts = scope.get("subprotocols", ())
    return {
        nom: offert.removeprefix(debut)
        for debut, nom in EN_PROTOCOLE.items()
        for offert in offerts
        if offert.startswith(debut)
    }


# Asked at the opening and again later, in a thread, of several at once: for each, in order, who it is or the refusal.
Identifier = Callable[[Sequence[DemandeDeSocket]], "list[Identite | IdentiteRefusee]"]
# Asked once, at the opening, with the ASGI scope: returns, or raises IdentiteRefusee.
Admettre = Callable[[Mapping[str, Any]], None]
# Batch check: identities -> those that are unchanged, role included; each of the others is then checked alone.
Revoir = Callable[[list[Identite]], Container[Identite]]


def personne(demandes: Sequence[DemandeDeSocket]) -> "list[Identite | IdentiteRefusee]":
    """The null `Identifier`: knows nobody."""
    return [IdentiteRefusee() for _demande in demandes]


def tous(scope: Mapping[str, Any]) -> None:
    """The null `Admettre`: raises nothing, so that everyone comes to the check of identity."""


def aucune(identites: list[Identite]) -> list[Identite]:
    """The null `Revoir`: vouches for none, so that each socket is checked alone."""
    return []


class Portier(NamedTuple):
    """Functions that decide who comes in, given by the assembly."""

    identifier: Identifier = personne
    admettre: Admettre = tous
    revoir: Revoir = aucune


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


def verifier(identifier: Identifier, demande: DemandeDeSocket, canal: str) -> Ecoute:
    """Identify, then ask the channel's rule; raises IdentiteRefusee."""
    (identite,) = identifier([demande])
    if isinstance(identite, IdentiteRefusee):
        raise identite
    ecoutees = audiences(identite.acteur, canal)
    if not ecoutees:
        raise IdentiteRefusee(FERMETURE_ACCES)
    return Ecoute(identite, ecoutees)


def etablir(portier: Portier, entrees: Sequence[tuple[DemandeDeSocket, str]]) -> "list[Ecoute | IdentiteRefusee]":
    """Judge openings of channels together, in as many statements for many tokens as for one.

    The start cursor is read before the checks, which have thus seen every older order to close.
    """
    depart = dernier_numero()
    jugees = _identifier_admises(portier, [demande for demande, _canal in entrees])
    connues = [
        (identite, demande, canal)
        for identite, (demande, canal) in zip(jugees, entrees, strict=True)
        if isinstance(identite, Identite)
    ]
    ouvertes = ouvrir([(identite.acteur, canal) for identite, _demande, canal in connues])
    recents = plus_recents({(une.canal, tuple(une.audiences)) for une in ouvertes if une.audiences}, depart)
    ecoutes = iter(
        _admettre(demande, une)
        or Ecoute(identite, une.audiences, depart, recents[une.canal, tuple(une.audiences)], une.canal)
        for (identite, demande, _canal), une in zip(connues, ouvertes, strict=True)
    )
    return [next(ecoutes) if isinstance(jugee, Identite) else jugee for jugee in jugees]


def _admettre(demande: DemandeDeSocket, ouverture: Ouverture) -> IdentiteRefusee | None:
    """Refuse what has no audience, and what its channel would have told and could not: 1013."""
    if not ouverture.audiences:
        return IdentiteRefusee(FERMETURE_ACCES)
    jeton = requete_courante.set(Poignee.de(demande.scope))
    try:
        ouverture.dire()
    except ServiceIndisponible:
        return IdentiteRefusee(FERMETURE_REESSAYER)
    finally:
        requete_courante.reset(jeton)
    return None


class Poignee(NamedTuple):
    """Part of a handshake that tells where it came from, in the form of a request."""

    META: dict[str, str]

    @classmethod
    def de(cls, scope: Mapping[str, Any]) -> "Poignee":
        entetes = [valeur for nom, valeur in scope.get("headers", ()) if nom == b"x-forwarded-for"]
        client = scope.get("client") or ("",)
        return cls({"REMOTE_ADDR": client[0], "HTTP_X_FORWARDED_FOR": b",".join(entetes).decode("latin-1")})


def _identifier_admises(portier: Portier, demandes: list[DemandeDeSocket]) -> "list[Identite | IdentiteRefusee]":
    refus: list[IdentiteRefusee | None] = [_refus(portier.admettre, demande) for demande in demandes]
    admises = [demande for demande, refusee in zip(demandes, refus, strict=True) if refusee is None]
    identites = iter(portier.identifier(admises) if admises else [])
    return [refusee or next(identites) for refusee in refus]


def _refus(admettre: Admettre, demande: DemandeDeSocket) -> IdentiteRefusee | None:
    try:
        admettre(demande.scope)
    except IdentiteRefusee as refus:
        return refus
    return None
