"""The measuring process, as its commands start it: an environment of its own, on the temporary database it is given."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.management.base import CommandError


def mesures(url: str, options: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Run `python -m demo.bench` on this database and yield its figures as they come."""
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as dossier:
        environnement = {
            "DJANGO_SETTINGS_MODULE": "demo.bench.reglages",
            "DATABASE_URL": url,
            "DATA_DIR": dossier,
            "SECRET_KEY": "secret-de-mesure-" + "s" * 40,
            "HASH_KEY": "hachage-de-mesure-" + "h" * 40,
            "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
            "PUBLIC_URL": "http://127.0.0.1:8000",
            "EMAIL_URL": "dummymail://",  # the console is where the figures come
        }
        with subprocess.Popen(  # noqa: S603 -- our own command
            [sys.executable, "-m", "demo.bench", *options],
            cwd=settings.BASE_DIR,
            env=environnement,
            stdout=subprocess.PIPE,
            text=True,
        ) as processus:
            try:
                for ligne in processus.stdout or ():
                    yield json.loads(ligne)
                if processus.wait():
                    raise CommandError(f"La mesure s'est arrêtée : code {processus.returncode}.")
            finally:
                processus.terminate()
