"""Registry of event types: each app declares the form of what it sends, where it is heard, and when.

The documents, the page and the tests are made from these; `publier` admits no other type.
"""

import logging
from typing import Any, NamedTuple

from django.conf import settings

from socle.domaine.registre import Registre

journal = logging.getLogger(__name__)


class Declaration(NamedTuple):
    """One type: the serializer class of its payload, its channels as patterns (`user:{id}`), a sentence."""

    type: str
    forme: Any
    canaux: tuple[str, ...]
    quand: Any


evenements: Registre[Declaration] = Registre("types d'événements")


def declarer(type_: str, forme: Any, *canaux: str, quand: Any) -> None:
    """Register an event type; `quand` is a lazy sentence that says when it is sent, and to whom."""
    evenements.inscrire(type_, Declaration(type_, forme, canaux, quand))


def exiger(type_: str) -> None:
    """Raise for an undeclared type where one is being developed or tested; elsewhere log it, and nothing is lost."""
    if type_ in evenements:
        return
    if settings.EVENEMENTS_INCONNUS_REFUSES:
        evenements.exiger(type_)
    journal.error("Événement d'un type non déclaré : %s.", type_)


def motif_de(canal: str) -> str:
    """The pattern of a channel: `user:{id}` of the one of an account."""
    nom, deux_points, _cle = canal.partition(":")
    return f"{nom}:{{id}}" if deux_points else nom
