"""The worker: the library's own, which also puts back what a dead one left."""

import logging
import secrets
import threading
import time

from django.db import close_old_connections
from django_tasks_db.management.commands.db_worker import Worker

from config.taches.entretien import chaque_minute
from config.taches.reprise import reprendre

journal = logging.getLogger("campus.taches")
SECONDES_ENTRE_ENTRETIENS = 60
SECONDES_POUR_FINIR = 10


@chaque_minute("Reprise des tâches interrompues")
def remettre_en_file() -> None:
    if nombre := reprendre():
        journal.warning("%d tâche(s) interrompue(s) remise(s) en file", nombre)


def veiller(arret: threading.Event) -> None:
    """What is done every minute, at once and until told to stop."""
    while True:
        for nom, entretenir in chaque_minute.items():
            try:
                close_old_connections()
                entretenir()
            except Exception:
                journal.exception("%s : remis à la minute prochaine", nom)
        if arret.wait(SECONDES_ENTRE_ENTRETIENS):
            return


class OuvrierInterne:
    """The worker as a thread of the serving process, for the one-command start."""

    def __init__(self) -> None:
        self._arret = threading.Event()
        self._ouvrier: Worker | None = None
        self._fil: threading.Thread | None = None

    def demarrer(self) -> None:
        self._fil = threading.Thread(target=self._travailler, name="taches", daemon=True)
        self._fil.start()
        threading.Thread(target=veiller, args=(self._arret,), name="taches-veille", daemon=True).start()

    def arreter(self) -> None:
        """Let the task in hand end, for a while."""
        self._arret.set()
        if self._ouvrier is not None:
            self._ouvrier.running = False
        if self._fil is not None:
            self._fil.join(timeout=SECONDES_POUR_FINIR)

    def _travailler(self) -> None:
        while not self._arret.is_set():
            self._ouvrier = Worker(
                queue_names=["*"],
                interval=1,
                batch=False,
                backend_name="default",
                startup_delay=False,
                max_tasks=None,
                worker_id=f"interne-{secrets.token_hex(4)}",
                excluded_queue_names=[],
            )
            try:
                self._ouvrier.run()
            except Exception:
                # The database may be away for a while; the queue waits in it.
                journal.exception("travail en arrière-plan interrompu, reprise")
                time.sleep(2)
