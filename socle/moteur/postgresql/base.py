"""The backend that DATABASES names: a client-side timeout besides statement_timeout, for a server that hangs."""

from contextlib import suppress
from types import ModuleType
from typing import Any

import orjson
import psycopg
from django.db.backends.postgresql import base
from django.utils.functional import cached_property
from psycopg.pq import TransactionStatus
from psycopg.types.json import JsonbBinaryLoader

from socle.moteur.delais import (
    SONDE_SECONDES,
    SQL_SECONDES,
    commencer_une_fin,
    echeance,
    noter_une_fin,
    noter_une_fin_inconnue,
    reste,
)
from socle.moteur.issue import VERDICT_SECONDES, IssueInconnue, reprenable
from socle.moteur.pipeline import Pipeline

ANNULATION_SECONDES = 1.0
JSONB = 1  # the one format of a binary value, its first byte


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
    def en_pipeline(self) -> Pipeline:
        return Pipeline(self)

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Send first what was kept for the next round trip, before whatever psycopg does itself."""
        self.en_pipeline.vider()
        return self.attendre(gen, interval, timeout)

    def attendre(self, gen: Any, interval: float = 0.1, timeout: float | None = None, *, annuler: bool = False) -> Any:
        """`annuler`: what is sent ends with a COMMIT, which must not be reached once its time is over.

        The server is then asked to leave it, and its answer is waited for once more: it may have committed.
        IssueInconnue where it says nothing.
        """
        if self.pgconn.transaction_status == TransactionStatus.IDLE:
            self._pour_la_transaction = None
        limite = self._pour_de_bon if self._pour_la_transaction is None else self._pour_la_transaction
        secondes = reste(limite) if timeout is None else timeout
        if annuler:
            return self._attendre_la_fin(reprenable(gen), interval, secondes)
        try:
            return super().wait(gen, interval, secondes)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise psycopg.OperationalError("no answer in time: the connection was cut") from None

    def _attendre_la_fin(self, gen: Any, interval: float, secondes: float) -> Any:
        try:
            try:
                return super().wait(gen, interval, secondes)
            except psycopg.errors._WaitTimeout:
                self._annuler()
                return super().wait(gen, interval, VERDICT_SECONDES)
        except psycopg.OperationalError as perte:  # a timeout is one
            self.pgconn.finish()
            noter_une_fin_inconnue()
            raise IssueInconnue("no answer to a commit: it may be done") from perte

    def _annuler(self) -> None:
        """Have the server leave the statement that it is at, and those behind it; a dead server needs none of it."""
        with suppress(psycopg.Error):
            self.cancel_safe(timeout=ANNULATION_SECONDES)

    def set_autocommit(self, value: bool) -> None:
        """Set the mode as psycopg does once it has waited, which it need not where no transaction is open."""
        if self.pgconn.transaction_status != TransactionStatus.IDLE or self.en_pipeline.attend:
            super().set_autocommit(value)
        else:
            self._autocommit = bool(value)

    def commit(self) -> None:
        self.en_pipeline.valider()

    def rollback(self) -> None:
        self.en_pipeline.abandonner()
        super().rollback()


class _Json(JsonbBinaryLoader):
    """Of prepared reads alone: Django reads the text form, and leaves it to its fields."""

    def load(self, data: Any) -> Any:
        """Read without a copy what follows the number of the format."""
        return orjson.loads(data[1:]) if data[0] == JSONB else super().load(data)


_pilote = ModuleType("psycopg")
vars(_pilote).update(vars(psycopg), connect=ConnexionBornee.connect)


class DatabaseWrapper(base.DatabaseWrapper):
    Database = _pilote

    def get_new_connection(self, conn_params: Any) -> Any:
        connexion = super().get_new_connection(conn_params)
        connexion.adapters.register_loader("jsonb", _Json)
        return connexion

    def get_autocommit(self) -> bool:
        """Django's, which each request asks: an open connection knows it."""
        return self.autocommit if self.connection is not None else super().get_autocommit()

    def _commit(self) -> None:
        commencer_une_fin()
        super()._commit()  # type: ignore[misc]
        noter_une_fin()

    def _savepoint_rollback(self, sid: str) -> None:
        self.connection.en_pipeline.abandonner()  # SAVEPOINT was a statement: what was kept came after it
        super()._savepoint_rollback(sid)  # type: ignore[misc]

    def is_usable(self) -> bool:
        """Health check of a persistent connection with a 2 s deadline: finds a hanging server sooner than a query."""
        if self.connection is None:
            return False
        with echeance(SONDE_SECONDES):
            try:
                self.connection.en_pipeline.lire(b"SELECT 1", ())
            except psycopg.Error:
                return False
        return True
