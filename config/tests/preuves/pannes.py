"""What befalls a service while it is used: each fault begins, lasts, and is over when it returns."""

import os
import random
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psycopg

from config.tests.outils.serveur import Serveur
from config.tests.pannes.machines import Machine, Postgres, gelee

DUREE = 4.0  # seconds of what freezes or fills


class Sort:
    """The service, and what may happen to it."""

    def __init__(
        self, serveurs: list[Serveur], ouvrier: Serveur, postgres: Postgres, redis: Machine, volume: Path | None
    ) -> None:
        self.serveurs = serveurs
        self.ouvrier = ouvrier
        self.postgres = postgres
        self.redis = redis
        self.volume = volume
        self._hasard = random.Random(2027)
        self.tues = 0

    @property
    def pannes(self) -> dict[str, Callable[[], None]]:
        return {
            "SIGTERM à un serve": self.arreter_un_serve,
            "PostgreSQL redémarré": self.redemarrer_postgres,
            "PostgreSQL tué": self.tuer_postgres,
            "PostgreSQL gelé": lambda: self._geler(self.postgres),
            "Redis tué": self.tuer_redis,
            "Redis gelé": lambda: self._geler(self.redis),
            "un serve gelé": self.geler_un_serve,
            "plus aucune connexion à PostgreSQL": self.prendre_les_connexions,
            **({"disque plein": self.remplir} if self.volume is not None else {}),
        }

    def tuer_un_processus(self) -> None:
        """SIGKILL, anywhere in what it does; it is started again."""
        condamne = self._hasard.choice([*self.serveurs, *self.serveurs, self.ouvrier])
        time.sleep(self._hasard.uniform(0.1, 1.2))
        condamne.tuer()
        self.tues += 1
        self._relancer(condamne)

    def arreter_un_serve(self) -> None:
        un = self._hasard.choice(self.serveurs)
        assert un.terminer() == 0
        self._relancer(un)

    def redemarrer_postgres(self) -> None:
        self.postgres.arreter()
        time.sleep(1)
        self.postgres.demarrer()

    def tuer_postgres(self) -> None:
        self.postgres.tuer()
        self.postgres.demarrer()

    def tuer_redis(self) -> None:
        self.redis.tuer()
        time.sleep(1)
        self.redis.demarrer()

    def geler_un_serve(self) -> None:
        un = self._hasard.choice(self.serveurs)
        un.geler()
        time.sleep(DUREE)
        un.degeler()

    def prendre_les_connexions(self) -> None:
        """Every connection that the server still has to give, and those that are given back meanwhile."""
        with ExitStack() as pile:
            limite = time.monotonic() + DUREE
            while time.monotonic() < limite:
                with suppress(psycopg.OperationalError):
                    pile.enter_context(psycopg.connect(self.postgres.adresse, connect_timeout=3))
                    continue
                time.sleep(0.1)

    def remplir(self) -> None:
        """Nothing can be written any more where files and exports go."""
        assert self.volume is not None
        reste = self.volume / "reste"
        with suppress(OSError), reste.open("wb") as fichier:
            while True:
                fichier.write(b"0" * 65536)
                fichier.flush()
        time.sleep(DUREE)
        reste.unlink()

    def _geler(self, machine: Machine) -> None:
        with gelee(machine):
            time.sleep(DUREE)

    def _relancer(self, serveur: Serveur) -> None:
        if serveur is self.ouvrier:
            serveur.lancer("db_worker")
        else:
            serveur.demarrer("--no-migrate")


@contextmanager
def volume(dossier: Path, octets: int) -> Iterator[bool]:
    """Mount a small disk there; False where this machine does not let one."""
    monte = os.geteuid() == 0 and not _lancer("mount", "-t", "tmpfs", "-o", f"size={octets}", "none", str(dossier))
    try:
        yield monte
    finally:
        if monte:
            _lancer("umount", "--lazy", str(dossier))


@contextmanager
def a_moitie_ouverts(serveurs: list[Serveur], combien: int) -> Iterator[None]:
    """Clients that begin a request and say no more, as phones out of reach do."""
    with ExitStack() as pile:
        for rang in range(combien):
            with suppress(OSError):
                prise = socket.create_connection(("127.0.0.1", serveurs[rang % len(serveurs)].port), timeout=5)
                pile.enter_context(prise)
                prise.sendall(b"POST /api/v1/guest/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        yield


def _lancer(*commande: str) -> int:
    return subprocess.run(commande, capture_output=True, check=False).returncode  # noqa: S603 -- our own command
