"""The backend that DATABASES names: the server limits a statement, and the client too, for a server that hangs."""

from types import ModuleType
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from socle.domaine.delais import SQL_SECONDES, echeance, reste

SONDE_SECONDES = 2.0


class ConnexionBornee(psycopg.Connection[Any]):
    """Cut from this side when the server keeps it waiting: the thread goes on, with an OperationalError."""

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
        """The check before a kept connection is used again: a server that hangs is found out sooner than by a query."""
        with echeance(SONDE_SECONDES):
            return bool(super().is_usable())
