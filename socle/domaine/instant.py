"""One snapshot for several statements that read much."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from socle.moteur.delais import accorder


@contextmanager
def un_instant() -> Iterator[None]:
    """One snapshot for every statement within, without a write lock: nobody waits."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as curseur:
            curseur.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            accorder(0)
            yield
    else:
        with connection.cursor() as curseur:
            curseur.execute("BEGIN")  # deferred, for reading: ours are IMMEDIATE, and take the write lock at once
            try:
                yield
            finally:
                curseur.execute("ROLLBACK")
