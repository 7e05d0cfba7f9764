"""manage.py bench: time and queries of merges, throughput of a discussion, cost of readings as reports grow."""

import json
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from demo.bench.bases import Base, BaseAbsente, postgresql, sqlite
from demo.bench.rapport import Rapport

ENTETE = f"{'fusion':<14}{'messages':>10}{'requêtes':>10}{'secondes':>10}{'× témoin':>10}"


class Command(BaseCommand):
    help = (
        "Mesure la fusion d'une session invitée et l'écriture dans une discussion très suivie, sur SQLite et sur le "
        "PostgreSQL que l'on donne, chacun dans une base créée pour cela et supprimée ensuite : aucune donnée du "
        "service n'est touchée. Témoin : une ligne modifiée dans sa propre transaction. Sort 1 si le nombre de "
        "requêtes d'une fusion croît avec le nombre de messages, ou celui d'une lecture avec le nombre de "
        "signalements. Les lectures se mesurent sur PostgreSQL ; un million de signalements demande un quart d'heure."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--postgres", metavar="URL", help="un PostgreSQL où créer une base ; sinon SQLite seul")
        parser.add_argument("--messages", type=_nombre, nargs="+", default=[1, 100, 10_000], metavar="N")
        parser.add_argument("--writers", type=_nombre, default=16, metavar="N", help="fils qui écrivent à la fois")
        parser.add_argument(
            "--reports", type=_nombre, nargs="*", default=[10_000, 100_000, 1_000_000], metavar="N", help="tailles"
        )
        parser.add_argument("--quick", action="store_true", help="une fois chaque mesure : pour voir que tout marche")

    def handle(self, *args: Any, postgres: str | None, **demande: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the databases are dropped
        croissances = []
        for ouvrir in (*([postgresql(postgres)] if postgres else []), sqlite):
            try:
                croissances += self._mesurer(ouvrir, demande)
            except BaseAbsente as absente:
                self.stdout.write(f"PostgreSQL ne répond pas : {absente}\nOn continue sans lui.\n\n")
        if croissances:
            raise CommandError("\n".join(croissances))

    def _mesurer(self, ouvrir: Callable[[], AbstractContextManager[Base]], demande: dict[str, Any]) -> list[str]:
        """Print the figures of one database as they come; return a line for each whose queries grow with size."""
        temoin, requetes, tableau = 0.0, defaultdict(set), Rapport()
        with ouvrir() as base:
            self.stdout.write(f"{base.titre}\n{ENTETE}")
            for mesure in _figures(base.url, demande):
                match mesure["quoi"]:
                    case "temoin":
                        temoin = mesure["secondes"]
                        self.stdout.write(f"{'témoin':<14}{'':>10}{1:>10}{temoin:>10.4f}{1:>10}")
                    case "fusion":
                        requetes[_nom(mesure)].add(mesure["requetes"])
                        self.stdout.write(_ligne(mesure, temoin))
                    case "discussion":
                        debit = mesure["messages"] / mesure["secondes"]
                        self.stdout.write(
                            f"Une discussion, {mesure['fils']} fils : {debit:.0f} messages par seconde\n\n"
                        )
                    case _:
                        tableau.ajouter(mesure)
                        if "requetes" in mesure:
                            requetes[mesure["nom"]].add(mesure["requetes"])
                self.stdout.flush()
            self.stdout.write(tableau.texte())
        return [f"{base.titre}, {nom} : {sorted(n)} requêtes" for nom, n in requetes.items() if len(n) > 1]


def _figures(url: str, demande: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Run the measuring process on this database and yield its figures; the mass of reports is for PostgreSQL."""
    options = ["--messages", *map(str, demande["messages"]), "--writers", str(demande["writers"]), "--reports"]
    options += [] if url.startswith("sqlite") else map(str, demande["reports"])
    with (
        tempfile.TemporaryDirectory(prefix="campus-bench-") as dossier,
        _processus(
            [sys.executable, "-m", "demo.bench", *options, *(["--quick"] if demande["quick"] else [])],
            {
                "DJANGO_SETTINGS_MODULE": "demo.bench.reglages",
                "DATABASE_URL": url,
                "DATA_DIR": dossier,
                "SECRET_KEY": "secret-de-mesure-" + "s" * 40,
                "HASH_KEY": "hachage-de-mesure-" + "h" * 40,
                "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
                "PUBLIC_URL": "http://127.0.0.1:8000",
            },
        ) as processus,
    ):
        for ligne in processus.stdout:
            yield json.loads(ligne)
        if processus.wait():
            raise CommandError(f"La mesure s'est arrêtée : code {processus.returncode}.")


@contextmanager
def _processus(commande: list[str], environnement: dict[str, str]) -> Iterator[Any]:
    with subprocess.Popen(  # noqa: S603 -- our own command
        commande, cwd=settings.BASE_DIR, env=environnement, stdout=subprocess.PIPE, text=True
    ) as processus:
        try:
            yield processus
        finally:
            processus.kill()


def _nom(mesure: dict[str, Any]) -> str:
    return "avec conflit" if mesure["conflit"] else "sans conflit"


def _ligne(mesure: dict[str, Any], temoin: float) -> str:
    secondes = mesure["secondes"]
    return (
        f"{_nom(mesure):<14}{mesure['messages']:>10}{mesure['requetes']:>10}{secondes:>10.4f}{secondes / temoin:>10.1f}"
    )


def _nombre(texte: str) -> int:
    if not (texte.isascii() and texte.isdigit() and int(texte) >= 1):
        raise ArgumentTypeError("un entier d'au moins 1 est attendu")
    return int(texte)
