"""The forms of an event: the envelope of the contract, its text, and the frame that processes exchange."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.utils import timezone

from socle.domaine.chiffrement import empreinte
from socle.domaine.temps import horodatage
from socle.realtime.models import Evenement
from socle.realtime.vocabulaire import CONTROLE

Masque = dict[str, Any] | None


def masquer_a(compte_id: UUID | None, objet: UUID, champs: Iterable[str]) -> Masque:
    """Fields of an event about this object that are null to this account, which is named by a keyed hash."""
    if compte_id is None:
        return None
    return {"objet": str(objet), "lecteur": _lecteur(objet, compte_id), "champs": list(champs)}


def _lecteur(objet: UUID | str, compte_id: UUID) -> str:
    """Of this object alone: it does not tie together what one account has."""
    return empreinte("masque", f"{objet}:{compte_id}")


def enveloppe(evenement: Evenement, lecteur: UUID | None = None) -> dict[str, Any]:
    """As this account may read it; None is one from whom nothing is kept."""
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
    masque: Masque = None

    @classmethod
    def de(cls, evenement: Evenement, precedent: int = 0) -> "Trame":
        numero = evenement.numero or 0
        texte = texte_de(enveloppe(evenement))
        return cls(evenement.canal, evenement.audience, numero, precedent, texte, evenement.masque)

    def texte_pour(self, lecteur: UUID | None) -> str:
        caches = _caches(self.masque, lecteur)
        if not caches:
            return self.texte
        lue = orjson.loads(self.texte)
        return texte_de({**lue, "payload": {**lue["payload"], **caches}})

    @property
    def est_un_ordre(self) -> bool:
        return self.canal == CONTROLE

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = orjson.loads(self.texte)["payload"]
        return payload
