"""What the planner of PostgreSQL knows, in a test that reads the plan of a query."""

from django.db import connection


def analyser(*tables: str) -> None:
    """Build the indexes of these tables anew, and have every table analysed, in the transaction of the test.

    What earlier tests rolled back has left pages in the indexes, whose number decides between two that would do.
    """
    with connection.cursor() as curseur:
        for table in tables:
            curseur.execute(f"REINDEX TABLE {table}")
        curseur.execute("ANALYZE")
