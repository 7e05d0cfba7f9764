"""The forms of an event: the envelope of the contract, its text, and the frame that processes exchange."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.utils import timezone
from django.utils.functional import cached_property

from socle.domaine.chiffrement import empreinte
from socle.domaine.temps import horodatage
from socle.realtime.models import Evenement
from socle.realtime.vocabulaire import CONTROLE

Masque = dict[str, Any] | None


def masquer_a(compte_id: UUID | None, objet: UUID, champs: Iterable[str]) -> Masque:
    """A mask: these fields of an event about this object are null for this account, stored as a keyed hash."""
    if compte_id is None:
        return None
    cle = str(objet)
    return {"objet": cle, "lecteur": _lecteur(cle, compte_id), "champs": list(champs)}


def _lecteur(objet: str, compte_id: UUID) -> str:
    """Keyed hash of account and object together, so that masks of two objects cannot be traced to one account."""
    return empreinte("masque", f"{objet}:{compte_id!s}")


def enveloppe(evenement: Evenement, lecteur: UUID | None = None) -> dict[str, Any]:
    """The envelope with this account's mask applied; `lecteur=None` applies none."""
    return {
        "type": evenement.type,
        "canal": evenement.canal,
        "payload": {**evenement.payload, **_caches(evenement.masque, lecteur)},
        "timestamp": horodatage(evenement.date_creation),
        "eventId": str(evenement.numero),
    }


def _caches(masque: Masque, lecteur: UUID | None) -> dict[str, None]:
    if masque is None or lecteur is None or masque["lecteur"] != _lecteur(masque["objet"], lecteur):
        return {}
    return dict.fromkeys(masque["champs"])


def enveloppe_de_service(type_: str, canal: str, payload: dict[str, Any]) -> dict[str, Any]:
    """An envelope of the socket itself (`connected`, `error`, `refresh_required`), without an `eventId`."""
    return {"type": type_, "canal": canal, "payload": payload, "timestamp": horodatage(timezone.now())}


def a_rafraichir(canal: str, dernier: int) -> dict[str, Any]:
    """`refresh_required`, for a cursor before a purge: read the resource again, go on from the payload's `eventId`."""
    return enveloppe_de_service("refresh_required", canal, {"canal": canal, "eventId": str(dernier)})


def position_de(enveloppe: dict[str, Any]) -> int:
    """The cursor after this envelope: its `eventId`, or that of its payload."""
    return int(enveloppe.get("eventId") or enveloppe["payload"]["eventId"])


def texte_de(enveloppe: dict[str, Any]) -> str:
    try:
        return orjson.dumps(enveloppe).decode()
    except TypeError:  # an integer over 64 bits or a lone surrogate must not hold up the events behind it
        return json.dumps(enveloppe)


class Ecrit:
    """A text for sockets and, made once for all of them, its octets on the wire."""

    def __init__(self, texte: str) -> None:
        self.texte = texte

    @cached_property
    def octets(self) -> bytes:
        """A whole WebSocket text frame from a server (RFC 6455): final, unmasked, not compressed."""
        contenu = self.texte.encode()
        taille = len(contenu)
        if taille < 126:
            entete = bytes((_TEXTE, taille))
        elif taille < 65_536:
            entete = bytes((_TEXTE, 126)) + taille.to_bytes(2)
        else:
            entete = bytes((_TEXTE, 127)) + taille.to_bytes(8)
        return entete + contenu


_TEXTE = 0x81  # FIN, opcode 1


class Trame(NamedTuple):
    """An event on its way to sockets; `precedent` is the number before it on its channel, 0 when there is none."""

    canal: str
    audience: str
    numero: int
    precedent: int
    texte: str
    masque: Masque = None

    @classmethod
    def de(cls, evenement: Evenement, precedent: int = 0) -> "Trame":
        numero = evenement.numero or 0
        texte = texte_de(enveloppe(evenement))
        return cls(evenement.canal, evenement.audience, numero, precedent, texte, evenement.masque)

    def ecrite_pour(self, lecteur: UUID | None, commune: Ecrit) -> Ecrit:
        """The frame without what it masks to this account; `commune`, the frame itself, where it masks nothing."""
        caches = _caches(self.masque, lecteur)
        if not caches:
            return commune
        lue = orjson.loads(self.texte)
        return Ecrit(texte_de({**lue, "payload": {**lue["payload"], **caches}}))

    @property
    def est_un_ordre(self) -> bool:
        return self.canal == CONTROLE

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = orjson.loads(self.texte)["payload"]
        return payload
