"""Secrets at rest: a field encrypted with rotatable keys, and keyed hashes to look up by."""

import hmac
import logging
from enum import Enum
from functools import cache, lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models

journal = logging.getLogger("campus.chiffrement")


@lru_cache(maxsize=4)
def _boite(cles: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(cle) for cle in cles])


def boite() -> MultiFernet:
    """The configured keys: the first encrypts, all decrypt."""
    return _boite(tuple(settings.FIELD_ENCRYPTION_KEYS))


def empreinte(espece: str, valeur: str) -> str:
    """Keyed hash (64 hex digits) of a value of one kind; equal values of two kinds differ."""
    condense = _sous(settings.HASH_KEY).copy()
    condense.update(f"{espece}\x00{valeur}".encode())
    return condense.hexdigest()


@lru_cache(maxsize=4)
def _sous(cle: str) -> hmac.HMAC:
    """Beginning of any hash under this key."""
    return hmac.new(str(cle).encode(), digestmod="sha256")


@cache
def _dire_la_cle_perdue() -> None:
    """Log it once a process: each reader goes on without, and nobody would look for the key."""
    journal.error("Des valeurs chiffrées ne s'ouvrent avec aucune clé de FIELD_ENCRYPTION_KEYS : remettez l'ancienne.")


class Illisible(Enum):
    """Stands for a stored value that no key opens: neither text nor empty, and never written in its place."""

    SANS_CLE = "sans clé"


class ChampChiffre(models.TextField):  # type: ignore[type-arg]  # generic in its stubs alone
    """Text stored encrypted; `isnull` is its only look-up, and a value that no key opens is read as SANS_CLE.

    Not an error, which would take with it the page or the list of whoever else is in it: each reader says what it does
    without. Writing it raises InvalidToken.
    """

    def get_prep_value(self, value: Any) -> Any:
        if value is Illisible.SANS_CLE:
            raise InvalidToken
        value = super().get_prep_value(value)
        return value if value in (None, "") else boite().encrypt(value.encode()).decode()

    def to_python(self, value: Any) -> Any:
        return value if value is Illisible.SANS_CLE else super().to_python(value)

    def value_to_string(self, obj: Any) -> str:
        """For a dump of the base: what no key opens has no text to keep."""
        if self.value_from_object(obj) is Illisible.SANS_CLE:
            raise InvalidToken
        return super().value_to_string(obj)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value in (None, ""):
            return value
        try:
            return boite().decrypt(value.encode()).decode()
        except InvalidToken:
            _dire_la_cle_perdue()
            return Illisible.SANS_CLE

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None
