"""Outages of the database: wait for it when a command starts, renew its connections while one runs."""

import logging
import time

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections

journal = logging.getLogger("campus.base")
PAUSE = 1.0


def attendre_la_base(alias: str = DEFAULT_DB_ALIAS) -> None:
    """Return once PostgreSQL takes a connection; CommandError past DATABASE_WAIT_SECONDS. SQLite is a file."""
    connexion = connections[alias]
    if connexion.vendor != "postgresql":
        return
    patience = settings.DATABASE_WAIT_SECONDS
    fin = time.monotonic() + patience
    est_dit = False
    while True:
        try:
            connexion.ensure_connection()
            return
        except (OperationalError, InterfaceError) as panne:
            raison = " ".join(str(panne).split())
        if time.monotonic() >= fin:
            journal.error("base de données injoignable, abandon après %d s : %s", patience, raison)
            raise CommandError(
                "La base de données ne répond pas : vérifiez DATABASE_URL, "
                "ou laissez-lui plus de temps avec DATABASE_WAIT_SECONDS."
            )
        if not est_dit:
            est_dit = True
            journal.warning("base de données injoignable, attendue %d s au plus : %s", patience, raison)
        time.sleep(max(0.0, min(PAUSE, fin - time.monotonic())))


def rafraichir() -> None:
    """Close failed or old connections, so that the next statement opens a new one; a transaction keeps its own."""
    for connexion in connections.all(initialized_only=True):
        if not connexion.in_atomic_block:
            connexion.close_if_unusable_or_obsolete()
