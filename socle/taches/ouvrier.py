"""The worker: one thread polls each second for due tasks, and runs each queue that has some in a thread of its own.

So a hanging task holds its queue alone, and an empty queue holds neither thread nor connection.
"""

import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from django.db import Error as ErreurDeBase
from django.db import connections, transaction
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from socle.taches.base import rafraichir
from socle.taches.entretien import a_l_arret, chaque_minute
from socle.taches.models import Battement
from socle.taches.reprise import TacheInterrompue, exiger_la_suite, interrompre_si, reprendre

journal = logging.getLogger("campus.taches")
PANNES = (ErreurDeBase, OSError)
INTERVALLE = 1.0
PAUSE_MAXIMALE = 10.0
SECONDES_ENTRE_ENTRETIENS = 60.0
SECONDES_POUR_FINIR = 1.0
SECONDES_POUR_RENDRE = 0.8


@chaque_minute("Reprise des tâches interrompues")
def remettre_en_file() -> None:
    if nombre := reprendre():
        journal.warning("%d tâche(s) interrompue(s) remise(s) en file", nombre)


class Patience:
    """Backoff between two polls, doubling up to 10 s; the first error is logged, with a traceback unless an outage."""

    def __init__(self) -> None:
        self.pause = INTERVALLE
        self._dite: type[Exception] | None = None

    def reussir(self) -> None:
        self.pause, self._dite = INTERVALLE, None

    def echouer(self, panne: Exception) -> None:
        if self._dite is None:
            self._dite = type(panne)
            inattendue = None if isinstance(panne, PANNES) else panne
            journal.warning("tâches en attente de la base (%s)", self._dite.__name__, exc_info=inattendue)
        else:
            self.pause = min(2 * self.pause, PAUSE_MAXIMALE)


class OuvrierInterne:
    """Worker whose threads are daemons of this process, so that the process can end whatever hangs in them."""

    def __init__(self, files: Collection[str] = ()) -> None:
        """Serve these queues, all of them where none is named."""
        self.nom = f"ouvrier-{secrets.token_hex(4)}"
        self._files = files
        self._prevenu = False
        self._reveil = threading.Event()
        self._patience = Patience()
        self._prochain_entretien = 0.0
        self._fils: dict[str, threading.Thread] = {}
        # Queue -> the task taken from it, until its end is written or it is put back.
        self._en_main: dict[str, DBTaskResult[..., Any]] = {}

    def demarrer(self) -> None:
        self._lancer("taches", self._guetter)

    def prevenir(self) -> None:
        """Take nothing more; blocks nothing and takes no lock, so that a signal handler may call it."""
        self._prevenu = True

    @property
    def est_prevenu(self) -> bool:
        return self._prevenu

    def arreter(self) -> None:
        """Let tasks end for a moment, then put back those in hand; within two seconds, whatever hangs."""
        self.prevenir()
        self._reveil.set()
        fin = time.monotonic() + SECONDES_POUR_FINIR
        for fil in list(self._fils.values()):
            fil.join(max(0.0, fin - time.monotonic()))
        if self._en_main:
            rendre = threading.Thread(target=_puis_fermer, args=(self._abandonner,), name="taches-fin", daemon=True)
            rendre.start()
            rendre.join(SECONDES_POUR_RENDRE)

    def vider(self) -> None:
        """Run the due tasks in this thread, queue after queue, until none is due or one is interrupted."""
        while files := self._dues():
            if not all([self._vider(file) for file in files]):
                return

    def _lancer(self, nom: str, acte: Callable[..., None], *args: Any) -> bool:
        """Start a thread of this name; False, and no second one, while the last has not ended."""
        en_cours = self._fils.get(nom)
        if en_cours is not None and en_cours.is_alive():
            return False
        self._fils[nom] = threading.Thread(target=_puis_fermer, args=(acte, *args), name=nom, daemon=True)
        self._fils[nom].start()
        return True

    def _guetter(self) -> None:
        while not self._prevenu:
            try:
                rafraichir()
                self._distribuer()
            except Exception as panne:
                self._patience.echouer(panne)
            self._reveil.wait(self._patience.pause)

    def _distribuer(self) -> None:
        lancees = [self._lancer(f"taches-{file}", self._vider_sans_echec, file) for file in self._dues()]
        if not any(lancees):  # else the queues' own threads will tell whether the base answers
            self._patience.reussir()
        if time.monotonic() >= self._prochain_entretien:
            self._prochain_entretien = time.monotonic() + SECONDES_ENTRE_ENTRETIENS
            self._lancer("taches-veille", self._entretenir)

    def _dues(self) -> set[str]:
        """The names of the queues with due tasks, or with one that an outage left in hand."""
        return {*_a_faire(self._files).order_by().values_list("queue_name", flat=True).distinct(), *self._en_main}

    def _vider_sans_echec(self, file: str) -> None:
        try:
            self._vider(file)
        except Exception as panne:
            self._patience.echouer(panne)

    def _vider(self, file: str) -> bool:
        """Run the queue until it is empty: True; False where a task was interrupted or the worker is stopping."""
        self._rendre(file)
        with interrompre_si(lambda: self._prevenu):
            while not self._prevenu:
                ligne = self._prendre(file)
                self._patience.reussir()
                if ligne is None:
                    return True
                if not self._faire(file, ligne):
                    break
        return False

    def _prendre(self, file: str) -> "DBTaskResult[..., Any] | None":
        with transaction.atomic():
            ligne: DBTaskResult[..., Any] | None = _a_faire((file,)).select_for_update(skip_locked=True).first()
            if ligne is not None:
                self._en_main[file] = ligne  # before the commit, whose answer may be lost
                ligne.claim(self.nom)
        return ligne

    def _faire(self, file: str, ligne: "DBTaskResult[..., Any]") -> bool:
        """Run the task and write its result; False, put back, if interrupted. Unwritten results leave it in hand."""
        try:
            exiger_la_suite()
            ligne.task.call(*ligne.args_kwargs["args"], **ligne.args_kwargs["kwargs"])
        except TacheInterrompue:
            self._rendre(file)
            return False
        except Exception as echec:
            journal.error("tâche %s en échec (%s)", ligne.task_path, type(echec).__name__)
            ecrire_la_fin = partial(ligne.set_failed, echec)
        else:
            ecrire_la_fin = partial(ligne.set_successful, None)
        rafraichir()  # the base may have gone and come back meanwhile
        ecrire_la_fin()
        self._en_main.pop(file, None)
        return True

    def _rendre(self, file: str) -> None:
        """Put the task in hand back into this queue, where its row still names this worker."""
        if ligne := self._en_main.get(file):
            rafraichir()
            notre = DBTaskResult.objects.filter(pk=ligne.pk, worker_ids=ligne.worker_ids)
            notre.filter(status=TaskResultStatus.RUNNING).update(status=TaskResultStatus.READY, started_at=None)
            self._en_main.pop(file, None)

    def _abandonner(self) -> None:
        """Last act of the process: remove half-written files (`a_l_arret`), put the tasks back for another worker."""
        for nom, retirer in a_l_arret.items():
            try:
                retirer()
            except OSError as panne:
                journal.warning("%s : %s", nom, type(panne).__name__)
        for file in list(self._en_main):
            self._rendre(file)

    def _entretenir(self) -> None:
        """Take each step, whatever befell the one before; of those that an outage stopped, one line says which."""
        remis: dict[str, list[str]] = defaultdict(list)
        for nom, entretenir in (("Battement", self._battre), *chaque_minute.items()):
            if self._prevenu:
                break
            try:
                rafraichir()
                entretenir()
            except PANNES as panne:
                remis[type(panne).__name__].append(nom)
            except Exception as panne:
                journal.warning("%s : remis à la minute prochaine (%s)", nom, type(panne).__name__, exc_info=panne)
        for sorte, noms in remis.items():
            journal.warning("%s : remis à la minute prochaine (%s)", ", ".join(noms), sorte)

    def _battre(self) -> None:
        """Upsert this worker's row: `manage.py doctor` reads its age."""
        vu = {"files": ",".join(sorted(self._files)), "date": timezone.now()}
        Battement.objects.update_or_create(ouvrier=self.nom, defaults=vu)


def _a_faire(files: Collection[str]) -> Any:
    dues = DBTaskResult.objects.ready().filter(backend_name="default")
    return dues.filter(queue_name__in=files) if files else dues


def _puis_fermer(acte: Callable[..., None], *args: Any) -> None:
    """Target of a thread: run the act, then close its database connections."""
    try:
        acte(*args)
    finally:
        connections.close_all()
