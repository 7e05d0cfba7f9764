"""The backend that DATABASES names: a client-side timeout besides statement_timeout, for a server that hangs."""

from types import ModuleType
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from socle.domaine.delais import SQL_SECONDES, echeance, reste

SONDE_SECONDES = 2.0


class ConnexionBornee(psycopg.Connection[Any]):
    """Connection that is closed on this side after a wait past its limit: OperationalError, and the thread goes on."""

    _pour_la_transaction: float | None = None
    _pour_de_bon: float = SQL_SECONDES

    def accorder(self, secondes: float, *, pour_la_transaction: bool) -> None:
        if pour_la_transaction:
            self._pour_la_transaction = secondes
        else:
            self._pour_de_bon = secondes

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        if self.pgconn.transaction_status == TransactionStatus.IDLE:
            self._pour_la_transaction = None
        limite = self._pour_de_bon if self._pour_la_transaction is None else self._pour_la_transaction
        try:
            return super().wait(gen, interval, reste(limite) if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise psycopg.OperationalError("no answer in time: the connection was cut") from None


_pilote = ModuleType("psycopg")
vars(_pilote).update(vars(psycopg), connect=ConnexionBornee.connect)


class DatabaseWrapper(base.DatabaseWrapper):
    Database = _pilote

    def is_usable(self) -> bool:
        """Health check of a persistent connection with a 2 s deadline: finds a hanging server sooner than a query."""
        with echeance(SONDE_SECONDES):
            return bool(super().is_usable())
