"""Secrets at rest: a field encrypted with rotatable keys, and keyed hashes to look up by."""

import hmac
from enum import Enum
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models


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

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value in (None, ""):
            return value
        try:
            return boite().decrypt(value.encode()).decode()
        except InvalidToken:
            return Illisible.SANS_CLE

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None
