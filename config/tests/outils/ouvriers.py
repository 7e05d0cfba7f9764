"""What workers of one suite must not share."""

import os


def redis_a_soi(url: str) -> str:
    """A database of its own for each worker of the suite: a test empties the cache, and hears what is published."""
    racine, _separe, numero = url.rpartition("/")
    ouvrier = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return f"{racine}/{(int(numero) + ouvrier) % 16}" if numero.isdigit() else url
