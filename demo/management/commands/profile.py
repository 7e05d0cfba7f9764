"""manage.py profile: a flame graph of one route, called in process on a temporary database."""

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from demo.bench.bases import BaseAbsente, postgresql, sqlite
from demo.bench.processus import mesures


class Command(BaseCommand):
    help = (
        "Appelle une route dans un seul processus, sur une base temporaire peuplée comme celle de bench, et dessine où "
        "passe son temps : un fichier SVG, qu'un navigateur ouvre. La largeur d'un cadre est sa part du temps, attente "
        "de la base comprise ; notre code est en orange."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "route", help="un chemin lu par GET, où {signalement} et {discussion} sont remplacés, ou un nom de bench"
        )
        parser.add_argument("--as", dest="qui", choices=("etudiante", "gestionnaire", "invite"), default="etudiante")
        parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="durée du relevé")
        parser.add_argument("--postgres", metavar="URL", help="un PostgreSQL où créer une base ; sinon SQLite")
        parser.add_argument("--reports", type=int, default=0, metavar="N", help="parmi N signalements de volume")
        parser.add_argument("--output", type=Path, metavar="FICHIER", help="sinon build/profil-….svg")

    def handle(self, *args: Any, route: str, postgres: str | None, output: Path | None, **demande: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the database is dropped
        sortie = (output or Path("build") / f"profil-{slugify(route.replace('/', '-'))}.svg").absolute()
        sortie.parent.mkdir(parents=True, exist_ok=True)
        options = ["--profile", route, "--as", demande["qui"], "--seconds", str(demande["seconds"])]
        options += ["--reports", str(demande["reports"]), "--output", str(sortie)]
        try:
            with (postgresql(postgres) if postgres else sqlite)() as base:
                (mesure,) = mesures(base.url, options)
        except BaseAbsente as absente:
            raise CommandError(f"PostgreSQL ne répond pas : {absente}") from absente
        self.stdout.write(f"{base.titre} : {mesure['appels']} appels, {mesure['secondes'] * 1000:.2f} ms chacun")
        self.stdout.write(str(sortie))
