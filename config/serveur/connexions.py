"""Warning at start where PostgreSQL admits fewer connections than this service may need."""

import logging

from django.db import Error as ErreurDeBase
from django.db import connection

from socle.moteur.executeur import NOMBRE

journal = logging.getLogger("campus.serveur")
# Connections of a busy `serve` process: requests and sockets, the poll of events, their numbering, and the tasks.
PAR_PROCESSUS = NOMBRE + 1 + 1 + 4

_COMPTER = """
    SELECT count(DISTINCT application_name) FILTER (WHERE application_name LIKE 'campus %'),
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    FROM pg_stat_activity WHERE datname = current_database()
"""


def avertir() -> None:
    """Log one line where the processes connected now, this one included, may need more than max_connections."""
    if connection.vendor != "postgresql":
        return
    try:
        with connection.cursor() as curseur:
            curseur.execute(_COMPTER)
            processus, admises = curseur.fetchone()
    except ErreurDeBase as panne:
        journal.warning("Connexions de la base non comptées (%s).", type(panne).__name__)
        return
    if processus * PAR_PROCESSUS > admises:
        journal.warning(
            "%d processus peuvent demander %d connexions et PostgreSQL en admet %d : augmentez max_connections.",
            processus,
            processus * PAR_PROCESSUS,
            admises,
        )
