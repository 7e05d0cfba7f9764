"""A PostgreSQL and a Redis of the test's own, as processes that it can kill, freeze and start again."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import redis

from config.tests.outils.serveur import attendre, port_libre

M = TypeVar("M", bound="Machine")


class Machine:
    """A server process and its children; frozen, it keeps its connections and answers nothing."""

    def __init__(self, dossier: Path, **reglages: str) -> None:
        self.dossier = dossier
        self.reglages = reglages
        self.port = port_libre()
        self._processus: subprocess.Popen[bytes] | None = None

    def commande(self) -> list[str]:
        raise NotImplementedError

    def repond(self) -> bool:
        raise NotImplementedError

    def demarrer(self) -> None:
        with (self.dossier / "sortie").open("ab") as sortie:
            self._processus = subprocess.Popen(  # noqa: S603 -- our own command
                self.commande(), stdout=sortie, stderr=sortie, cwd=self.dossier, user=_utilisateur(), group=_groupe()
            )
        attendre(self.repond, f"{type(self).__name__} sur le port {self.port}", 20)

    def geler(self) -> None:
        self._signaler(signal.SIGSTOP)

    def degeler(self) -> None:
        self._signaler(signal.SIGCONT)

    def tuer(self) -> None:
        """SIGKILL to all of it at once, as a power cut does; a frozen one too."""
        self._signaler(signal.SIGKILL)
        if self._processus is not None:
            self._processus.wait(timeout=10)
            self._processus = None

    def _signaler(self, signe: signal.Signals) -> None:
        for pid in self._pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signe)

    def _pids(self) -> list[int]:
        """The process, then its children: stopped, it starts no others."""
        if self._processus is None or self._processus.poll() is not None:
            return []
        pid = self._processus.pid
        enfants = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, enfants)]


class Postgres(Machine):
    """A cluster without a password, with durability on: it is killed, and must have kept what it confirmed."""

    def __init__(self, dossier: Path, *, copie_de: Path | None = None, **reglages: str) -> None:
        super().__init__(dossier, **reglages)
        if copie_de is not None:
            _executer(dossier, "cp", "-a", str(copie_de / "base"), "base")
            return
        _executer(dossier, _binaire("initdb"), "-D", "base", "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")

    @property
    def adresse(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def journal(self) -> str:
        """What the server itself has logged."""
        return (self.dossier / "sortie").read_text(errors="replace")

    def commande(self) -> list[str]:
        options = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", **self.reglages}
        reglages = [mot for nom, valeur in options.items() for mot in ("-c", f"{nom}={valeur}")]
        return [_binaire("postgres"), "-D", "base", "-p", str(self.port), *reglages]

    def repond(self) -> bool:
        with suppress(psycopg.Error):
            psycopg.connect(self.adresse, connect_timeout=2).close()
            return True
        return False

    def executer(self, *ordres: str) -> list[tuple[Any, ...]]:
        """Rows of the last of these statements, run as the administrator of the server."""
        with psycopg.connect(self.adresse, autocommit=True, connect_timeout=3) as connexion:
            for ordre in ordres:
                curseur = connexion.execute(ordre)
            return curseur.fetchall() if curseur.description else []

    def arreter(self) -> None:
        """As an administrator restarts it: the sessions are ended, nothing is lost."""
        if self._processus is not None:
            self._processus.send_signal(signal.SIGINT)
            self._processus.wait(timeout=20)
            self._processus = None


class RedisPropre(Machine):
    @property
    def adresse(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def commande(self) -> list[str]:
        serveur = shutil.which("redis-server") or "redis-server"
        return [serveur, "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]

    def repond(self) -> bool:
        with suppress(redis.RedisError):
            return bool(redis.Redis(port=self.port, socket_timeout=1).ping())
        return False


@contextmanager
def machine(espece: type[M], **options: Any) -> Iterator[M]:
    """Started, in a folder of its own, and gone at the end whatever its state."""
    with tempfile.TemporaryDirectory(prefix="campus-panne-") as nom:
        if _utilisateur() is not None:
            shutil.chown(nom, _utilisateur(), _groupe())
        ouverte = espece(Path(nom), **options)
        try:
            ouverte.demarrer()
            yield ouverte
        finally:
            ouverte.tuer()


@contextmanager
def gelee(ouverte: Machine) -> Iterator[float]:
    """Frozen for the block, with the moment it began (monotonic)."""
    ouverte.geler()
    try:
        yield time.monotonic()
    finally:
        ouverte.degeler()


def peut_demarrer() -> bool:
    """Whether this machine has the programs; a newcomer's has neither."""
    return bool(_trouver("initdb") and shutil.which("redis-server"))


def _trouver(nom: str) -> str | None:
    presents = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{nom}"))
    return str(presents[-1]) if presents else shutil.which(nom)


def _binaire(nom: str) -> str:
    chemin = _trouver(nom)
    assert chemin, f"{nom} est absent : apt-get install postgresql"
    return chemin


def _utilisateur() -> int | None:
    """PostgreSQL refuses to run as root."""
    return pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else None


def _groupe() -> int | None:
    return pwd.getpwnam("postgres").pw_gid if os.getuid() == 0 else None


def _executer(dossier: Path, *commande: str) -> None:
    fait = subprocess.run(  # noqa: S603 -- our own command
        commande, cwd=dossier, user=_utilisateur(), group=_groupe(), capture_output=True, text=True, timeout=60
    )
    assert fait.returncode == 0, fait.stderr
