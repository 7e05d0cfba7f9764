"""Bloom filter, on the row of a discussion, of those who wrote there or marked it as read: two bits a person.

Of somebody who is surely not among them, an unread count needs no look-up. Bits too many cost one; bits too few would
make a count wrong: they are added under the lock of the row, and only a recount or the way back of a merge takes any
away.
"""

from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import F
from django.db.models.lookups import Exact

from socle.moteur.lectures import derive_ou_attendu

TOUS = -1  # every bit: of a row that an older version wrote, and of one that a merge joined others to
# One bit in each half: of four people, one stranger in sixty is taken for one of them. Always past 32 bits, so that
# the driver sends each as the same type.
MOITIE = 31


def traits(qui: UUID) -> int:
    """The two bits of an account or a guest session."""
    return 1 << qui.int % MOITIE | 1 << MOITIE + (qui.int >> 64) % MOITIE


class Traits(models.BigIntegerField[Any, Any]):
    """A key, as its bits."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> int:
        return traits(value)


def de_la_cle(qui: Any) -> Any:
    """The expression of somebody's bits; of 64, which a plain number next to a column would not be sent as."""
    return derive_ou_attendu(qui, Traits())


def en_est_peut_etre(qui: Any) -> Exact:
    """Condition on a discussion: false where the one of this key surely wrote nothing there and has no read mark."""
    siens = de_la_cle(qui)
    return Exact(F("participants").bitand(siens), siens)
