"""Context that a document shares with those inside it."""

from collections.abc import Callable
from typing import NamedTuple

from resources.nettoyage.anonymes import Anonymes
from resources.nettoyage.archive import Reste
from resources.nettoyage.bornes import Bornes


class Contexte(NamedTuple):
    """`inclus` cleans a document inside another, in the same context: the cleaner of one kind knows no other kind."""

    bornes: Bornes
    reste: Reste
    anonymes: Anonymes
    inclus: Callable[[bytes, "Contexte"], bytes]
