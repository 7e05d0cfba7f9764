"""manage.py bench: merges, throughput of a discussion, readings as reports grow, HTTP and sockets of a real process."""

import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from demo.bench.bases import Base, BaseAbsente, postgresql, redis_absent, sqlite
from demo.bench.processus import mesures
from demo.bench.rapport import Rapport, RapportServi
from demo.bench.volume import AU_PLUS

ENTETE = f"{'fusion':<14}{'messages':>10}{'requêtes':>10}{'secondes':>10}{'× témoin':>10}"


MESURES = ("merges", "discussion", "readings", "http", "sockets")


class Command(BaseCommand):
    help = (
        "Mesure la fusion d'une session invitée, l'écriture dans une discussion très suivie, les routes et les sockets "
        "d'un vrai service, sur SQLite et sur le PostgreSQL que l'on donne, chacun dans une base créée pour cela et "
        "supprimée ensuite : aucune donnée du service n'est touchée. Témoins : une ligne modifiée dans sa propre "
        "transaction ; une vue Django nue qui rend les mêmes octets. Sort 1 si le nombre de requêtes d'une fusion "
        "croît avec le nombre de messages, ou celui d'une lecture avec le nombre de signalements ou d'équipes. Les "
        "lectures se mesurent sur PostgreSQL ; un million de signalements demande un quart d'heure."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--postgres", metavar="URL", help="un PostgreSQL où créer une base ; sinon SQLite seul")
        parser.add_argument("--messages", type=_nombre, nargs="+", default=[1, 100, 10_000], metavar="N")
        parser.add_argument("--writers", type=_nombre, default=16, metavar="N", help="fils qui écrivent à la fois")
        parser.add_argument(
            "--reports", type=_nombre, nargs="*", default=[10_000, 100_000, 1_000_000], metavar="N", help="tailles"
        )
        parser.add_argument(
            "--teams",
            type=int,
            default=0,
            metavar="N",
            help="équipes qui se partagent ces signalements",
        )
        parser.add_argument("--sockets", type=_nombre, default=200, metavar="N", help="sockets sur une discussion")
        parser.add_argument("--redis", metavar="URL", default="", help="celui du service mesuré sur PostgreSQL")
        parser.add_argument("--only", nargs="+", choices=MESURES, default=MESURES, help="ces mesures seulement")
        parser.add_argument("--quick", action="store_true", help="une fois chaque mesure : pour voir que tout marche")

    def handle(self, *args: Any, postgres: str | None, **demande: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the databases are dropped
        if demande["redis"] and (absence := redis_absent(demande["redis"])):
            demande["redis"] = ""
            self.stdout.write(f"Redis ne répond pas : {absence}\nOn continue sans lui.\n\n")
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
        temoin, requetes, tableau, servi = 0.0, defaultdict(set), Rapport(), RapportServi()
        est_vide = True
        with ouvrir() as base:
            self.stdout.write(base.titre)
            for mesure in _figures(base.url, demande):
                est_vide = False
                match mesure["quoi"]:
                    case "temoin":
                        temoin = mesure["secondes"]
                        self.stdout.write(ENTETE)
                        self.stdout.write(f"{'témoin':<14}{'':>10}{1:>10}{temoin:>10.4f}{1:>10}")
                    case "fusion":
                        requetes[_nom(mesure)].add(mesure["requetes"])
                        self.stdout.write(_ligne(mesure, temoin))
                    case "discussion":
                        debit = mesure["messages"] / mesure["secondes"]
                        self.stdout.write(
                            f"Une discussion, {mesure['fils']} fils : {debit:.0f} messages par seconde\n\n"
                        )
                    case "http" | "sockets":
                        servi.ajouter(mesure)
                    case _:
                        tableau.ajouter(mesure)
                        # What a page's rows bring with them is not read for a page without rows.
                        if "requetes" in mesure and not mesure["vide"]:
                            requetes[mesure["lecture"]].add(mesure["requetes"])
                self.stdout.flush()
            if est_vide:
                self.stdout.write("Rien ne se mesure ici : les lectures se mesurent sur PostgreSQL (--postgres URL).")
            self.stdout.write(tableau.texte() + servi.texte())
        croissent = {nom: n for nom, n in requetes.items() if len(n) > 1 and max(n) > AU_PLUS.get(nom, 0)}
        return [f"{base.titre}, {nom} : {sorted(n)} requêtes" for nom, n in croissent.items()]


def _figures(url: str, demande: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The figures of this database; the mass of reports, and Redis, are for PostgreSQL."""
    est_complete = not url.startswith("sqlite")
    options = ["--only", *demande["only"], "--messages", *map(str, demande["messages"])]
    options += ["--writers", str(demande["writers"]), "--sockets", str(demande["sockets"])]
    options += ["--teams", str(demande["teams"])]
    options += ["--reports", *(map(str, demande["reports"]) if est_complete else ())]
    options += ["--redis", demande["redis"]] if est_complete and demande["redis"] else []
    yield from mesures(url, [*options, *(["--quick"] if demande["quick"] else [])])


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
