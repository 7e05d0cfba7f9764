"""Every event that any test sends, held against the declaration of its type: its form, and where it is heard."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from uuid import UUID

import jsonschema_rs
import pytest
from django.core.serializers.json import DjangoJSONEncoder

from config.tests.outils.clients import composants
from socle.api.evenements import REFERENCE, composant, declares
from socle.realtime import diffusion
from socle.realtime.declarations import evenements, motif_de
from socle.realtime.enveloppe import Masque
from socle.realtime.vocabulaire import ORDRES

FAUTES: list[str] = []


@cache
def valideur(type_: str) -> Any:
    """A validator of whole envelopes of this type, compiled once; a field that the document does not name fails."""
    declaration = next(une for une in declares() if une.type == type_)
    schema = {"$ref": f"{REFERENCE}{composant(declaration)}", "components": composants()}
    return jsonschema_rs.Draft4Validator(schema, validate_formats=True, formats={"uuid": _est_un_uuid})


def _est_un_uuid(texte: str) -> bool:
    try:
        return str(UUID(texte)) == texte
    except ValueError:
        return False


def fautes_de(type_: str, canal: str, payload: dict[str, Any], masque: Masque = None) -> list[str]:
    """Where an event, as who hears it reads it, is not what its type declares."""
    if motif_de(canal) not in evenements[type_].canaux:
        return [f"{type_} ne déclare pas le canal {canal}"]
    envoye = json.loads(json.dumps(payload, cls=DjangoJSONEncoder))
    lues = [envoye] if masque is None else [envoye, {**envoye, **dict.fromkeys(masque["champs"])}]
    enveloppe = {"type": type_, "canal": canal, "timestamp": "2026-03-02T09:30:00.000Z", "eventId": "1"}
    return [
        f"{type_} n'a pas sa forme : {'.'.join(map(str, faute.instance_path))} : {faute.message}"
        for lue in lues
        for faute in valideur(type_).iter_errors({**enveloppe, "payload": lue})
    ]


def _tenir(type_: str, canaux: list[str], payload: dict[str, Any], masque: Masque) -> None:
    if type_ in ORDRES or type_ not in evenements:  # of these `publier` says what it thinks of them
        return
    for motif, canal in {motif_de(canal): canal for canal in canaux}.items():
        FAUTES.extend(f"{faute} ({motif})" for faute in fautes_de(type_, canal, payload, masque))


@pytest.fixture(autouse=True)
def chaque_evenement_a_sa_forme() -> Iterator[None]:
    FAUTES.clear()
    yield
    if FAUTES:
        pytest.fail("\n".join(dict.fromkeys(FAUTES)))


@pytest.fixture(scope="session", autouse=True)
def formes_tenues() -> Iterator[None]:
    vraie, vraie_pour_beaucoup = diffusion.inserer_rangees, diffusion._ecrire_pour_beaucoup

    def inserer_rangees(modele: Any, rangees: Any) -> Any:
        for rangee in rangees:
            _tenir(rangee.type, [rangee.canal], rangee.payload, rangee.masque)
        return vraie(modele, rangees)

    def pour_beaucoup(type_: str, canaux: list[str], payload: Any, audience: str, masque: Masque) -> None:
        _tenir(type_, canaux, payload, masque)
        vraie_pour_beaucoup(type_, canaux, payload, audience, masque)

    with pytest.MonkeyPatch.context() as remplacements:
        remplacements.setattr(diffusion, "inserer_rangees", inserer_rangees)
        remplacements.setattr(diffusion, "_ecrire_pour_beaucoup", pour_beaucoup)
        yield
