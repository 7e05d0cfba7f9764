"""manage.py db_worker: runs background tasks (mails, exports), and takes up again those of a worker that died."""

import signal
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from socle.taches.base import attendre_la_base
from socle.taches.ouvrier import OuvrierInterne

PAUSE = 0.2


class Command(BaseCommand):
    help = (
        "Exécute les tâches en arrière-plan (e-mails, exports), chaque file à part, et reprend celles d'un ouvrier "
        "mort. Attend la base quand elle s'absente ; SIGTERM remet en file ce qui n'est pas fini."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--queue-name", default="*", metavar="NOMS", help="ces files seules, virgule entre elles")
        parser.add_argument("--batch", action="store_true", help="faire ce qui est dû, puis finir")

    def handle(self, *args: Any, queue_name: str, batch: bool, **options: Any) -> None:
        ouvrier = OuvrierInterne([] if queue_name == "*" else queue_name.split(","))
        attendre_la_base()
        if batch:
            ouvrier.vider()
            return
        for signe in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signe, lambda *_: ouvrier.prevenir())
        ouvrier.demarrer()
        while not ouvrier.est_prevenu:
            time.sleep(PAUSE)
        ouvrier.arreter()
