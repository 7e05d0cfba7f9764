"""The forms of an event: the envelope of the contract, its text, and the frame that processes exchange."""

import json
from typing import Any, NamedTuple

import orjson
from django.utils import timezone

from config.domaine.temps import horodatage
from config.realtime.models import Evenement
from config.realtime.vocabulaire import CONTROLE


def enveloppe(evenement: Evenement) -> dict[str, Any]:
    return {
        "type": evenement.type,
        "canal": evenement.canal,
        "payload": evenement.payload,
        "timestamp": horodatage(evenement.date_creation),
        "eventId": str(evenement.numero),
    }


def enveloppe_de_service(type_: str, canal: str, payload: dict[str, Any]) -> dict[str, Any]:
    """What a socket says of itself (`connected`, `error`, `refresh_required`); it has no number."""
    return {"type": type_, "canal": canal, "payload": payload, "timestamp": horodatage(timezone.now())}


def a_rafraichir(canal: str, dernier: int) -> dict[str, Any]:
    """What was missed cannot be told: read the resource again, then go on from the `eventId` of the payload."""
    return enveloppe_de_service("refresh_required", canal, {"canal": canal, "eventId": str(dernier)})


def position_de(enveloppe: dict[str, Any]) -> int:
    """The number after which a reader of this envelope goes on."""
    return int(enveloppe.get("eventId") or enveloppe["payload"]["eventId"])


def texte_de(enveloppe: dict[str, Any]) -> str:
    try:
        return orjson.dumps(enveloppe).decode()
    except TypeError:  # an integer over 64 bits or a lone surrogate must not hold up the events behind it
        return json.dumps(enveloppe)


class Trame(NamedTuple):
    """An event on its way to sockets; `precedent` is the number before it on its channel, 0 when there is none."""

    canal: str
    audience: str
    numero: int
    precedent: int
    texte: str

    @classmethod
    def de(cls, evenement: Evenement, precedent: int = 0) -> "Trame":
        numero = evenement.numero or 0
        return cls(evenement.canal, evenement.audience, numero, precedent, texte_de(enveloppe(evenement)))

    @property
    def est_un_ordre(self) -> bool:
        return self.canal == CONTROLE

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = orjson.loads(self.texte)["payload"]
        return payload
