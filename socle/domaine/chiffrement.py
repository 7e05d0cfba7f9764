"""Secrets at rest: a field encrypted with rotatable keys, and keyed hashes to look up by."""

import hmac
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
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


class ChampChiffre(models.TextField):  # type: ignore[type-arg]  # generic in its stubs alone
    """Text stored encrypted; `isnull` is its only look-up, and a value that no key opens raises InvalidToken."""

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return value if value in (None, "") else boite().encrypt(value.encode()).decode()

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return value if value in (None, "") else boite().decrypt(value.encode()).decode()

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None
