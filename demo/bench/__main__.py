"""The measuring process of `manage.py bench` and `manage.py profile`, in one database: prints figures as JSON lines."""

import argparse
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from demo.bench.bases import PREFIXE


def main() -> None:
    demande = argparse.ArgumentParser()
    demande.add_argument("--only", nargs="+", default=[])
    demande.add_argument("--messages", type=int, nargs="+", default=[1])
    demande.add_argument("--writers", type=int, default=1)
    demande.add_argument("--reports", type=int, nargs="*", default=[])
    demande.add_argument("--teams", type=int, default=0)
    demande.add_argument("--sockets", type=int, default=1)
    demande.add_argument("--redis", default="")
    demande.add_argument("--quick", action="store_true")
    demande.add_argument("--profile", default="")
    demande.add_argument("--as", dest="qui", default="etudiante")
    demande.add_argument("--seconds", type=float, default=1.0)
    demande.add_argument("--output", type=Path)
    lue = demande.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the service it started is ended too
    django.setup()
    if not PurePath(settings.DATABASES["default"]["NAME"]).name.startswith(PREFIXE):
        raise SystemExit("Une mesure se fait dans sa propre base : lancez « manage.py bench ».")
    call_command("migrate", interactive=False, verbosity=0)

    for mesure in _profil(lue) if lue.profile else _mesures(lue):
        print(json.dumps(mesure), flush=True)


def _profil(lue: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from demo.bench import profil  # models need the settings

    signalements = min(lue.reports, default=0)
    yield profil.profiler(lue.profile, qui=lue.qui, secondes=lue.seconds, signalements=signalements, sortie=lue.output)


def _mesures(lue: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from demo.bench import discussion, fusions, volume  # models need the settings

    if "merges" in lue.only:
        yield from fusions.mesurer(lue.messages, rapide=lue.quick)
    if "discussion" in lue.only:
        yield from discussion.mesurer(lue.writers, rapide=lue.quick)
    if "readings" in lue.only:
        yield from volume.mesurer(lue.reports, equipes=lue.teams, rapide=lue.quick)
    if {"http", "sockets"} & set(lue.only):
        yield from _servies(lue)


def _servies(lue: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from demo.bench import http, routes, service, sockets, volume  # models need the settings

    volume.remplir(min(lue.reports, default=0))
    campus = routes.installer()
    connection.close()  # the next one has the service's own limits, and commits as it does
    if "http" in lue.only:
        with service.servir(lue.redis) as servi:
            yield from http.mesurer(campus, servi, rapide=lue.quick)
    if "sockets" in lue.only:
        with service.servir(lue.redis) as servi:  # a new one: memory that routes have freed would hold the sockets
            yield from sockets.mesurer(campus, servi, lue.sockets, rapide=lue.quick)


if __name__ == "__main__":
    main()
