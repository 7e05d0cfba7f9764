"""The backend that DATABASES names: a client-side timeout besides statement_timeout, for a server that hangs."""

from functools import cached_property
from types import ModuleType
from typing import Any

import orjson
import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus
from psycopg.types.json import JsonbBinaryLoader

from socle.domaine.delais import SONDE_SECONDES, SQL_SECONDES, echeance, reste

PREPAREES_MAX = 400  # of one connection, which forgets the least used


class ConnexionBornee(psycopg.Connection[Any]):
    """Connection that is closed on this side after a wait past its limit: OperationalError, and the thread goes on."""

    _pour_la_transaction: float | None = None
    _pour_de_bon: float = SQL_SECONDES

    def accorder(self, secondes: float, *, pour_la_transaction: bool) -> None:
        if pour_la_transaction:
            self._pour_la_transaction = secondes
        else:
            self._pour_de_bon = secondes

    @cached_property
    def _lecteur(self) -> psycopg.RawCursor[Any]:
        return psycopg.RawCursor(self)

    def lire_prepare(self, texte: bytes, valeurs: list[Any]) -> list[Any]:
        """The rows of a statement that this connection prepares at its first run; values as $1, $2…"""
        return self._lecteur.execute(texte, valeurs, prepare=True, binary=True).fetchall()

    def ecrire_prepare(self, texte: bytes, valeurs: list[Any]) -> int:
        """How many rows a statement that this connection prepares at its first run has written."""
        return self._lecteur.execute(texte, valeurs, prepare=True, binary=True).rowcount

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        if self.pgconn.transaction_status == TransactionStatus.IDLE:
            self._pour_la_transaction = None
        limite = self._pour_de_bon if self._pour_la_transaction is None else self._pour_la_transaction
        try:
            return super().wait(gen, interval, reste(limite) if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise psycopg.OperationalError("no answer in time: the connection was cut") from None


class _Json(JsonbBinaryLoader):
    """Of prepared reads alone: Django reads the text form, and leaves it to its fields."""

    _loads = staticmethod(orjson.loads)


_pilote = ModuleType("psycopg")
vars(_pilote).update(vars(psycopg), connect=ConnexionBornee.connect)


class DatabaseWrapper(base.DatabaseWrapper):
    Database = _pilote

    def get_new_connection(self, conn_params: Any) -> Any:
        connexion = super().get_new_connection(conn_params)
        connexion.prepared_max = PREPAREES_MAX
        connexion.adapters.register_loader("jsonb", _Json)
        return connexion

    def is_usable(self) -> bool:
        """Health check of a persistent connection with a 2 s deadline: finds a hanging server sooner than a query."""
        with echeance(SONDE_SECONDES):
            return bool(super().is_usable())
