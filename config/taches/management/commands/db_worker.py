"""manage.py db_worker: runs background tasks (mails), and takes up again those of a worker that died."""

import threading
from argparse import ArgumentParser
from typing import Any

from django_tasks_db.management.commands import db_worker

from config.taches.ouvrier import veiller


class Command(db_worker.Command):
    help = "Exécute les tâches en arrière-plan (e-mails), toutes files confondues, et reprend celles d'un ouvrier mort."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(queue_name="*")

    def handle(self, **options: Any) -> None:
        threading.Thread(target=veiller, args=(threading.Event(),), name="taches-veille", daemon=True).start()
        super().handle(**options)
