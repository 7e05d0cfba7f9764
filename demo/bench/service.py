"""A real `manage.py serve` on the database of the measure, and what the system says of its process."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from django.conf import settings

DEMARRAGE_SECONDES = 60.0


class Service(NamedTuple):
    port: int
    pid: int

    def processeur(self) -> float | None:
        """CPU seconds of the process, every thread of it, by the kernel's clock; None but on Linux."""
        return time.clock_gettime((~self.pid << 3) | 2) if sys.platform == "linux" else None

    def memoire(self) -> float | None:
        """Octets in memory that are this process's own share; None but on Linux."""
        if sys.platform != "linux":
            return None
        lignes = Path(f"/proc/{self.pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        return 1024.0 * int(next(ligne for ligne in lignes if ligne.startswith("Pss:")).split()[1])


@contextmanager
def servir(redis: str) -> Iterator[Service]:
    """The settings are the service's own, but for rate limits; its logs go to a file of the temporary folder."""
    with socket.create_server(("127.0.0.1", 0)) as prise:
        port = prise.getsockname()[1]
    propres = {"DJANGO_SETTINGS_MODULE": "config.settings", "THROTTLE_ENABLED": "false", "PORT": str(port)}
    environnement = {**os.environ, **propres, **({"REDIS_URL": redis} if redis else {})}
    with (
        (settings.DATA_DIR / "serve.log").open("wb") as journal,
        subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--no-migrate"],
            cwd=settings.BASE_DIR,
            env=environnement,
            stdout=journal,
            stderr=journal,
        ) as processus,
    ):
        try:
            _attendre(processus, port)
            yield Service(port, processus.pid)
        finally:
            processus.terminate()


def _attendre(processus: subprocess.Popen[bytes], port: int) -> None:
    limite = time.monotonic() + DEMARRAGE_SECONDES
    while processus.poll() is None and time.monotonic() < limite:
        try:
            urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"le service ne répond pas :\n{(settings.DATA_DIR / 'serve.log').read_text()}")
