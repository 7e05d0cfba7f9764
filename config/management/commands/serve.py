"""manage.py serve: the whole service in one process."""

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import StringIO
from queue import SimpleQueue
from typing import Any

import uvicorn
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.checks import tout_est_local
from config.serveur.ecoulement import surveillees
from config.serveur.protocoles import Prises
from config.serveur.requetes import OISIVE_SECONDES, Requetes
from socle.taches.base import attendre_la_base
from socle.taches.ouvrier import OuvrierInterne

journal = logging.getLogger("campus.serveur")
ARRET_SECONDES = 8  # for the requests in hand
FIN_SECONDES = 11.0
SIGNES = (signal.SIGINT, signal.SIGTERM)  # Ctrl-C is the one that a terminal sends
# With Python's 5 ms, four busy threads kept the loop, hence sockets and /health, waiting twice as long.
BASCULE_SECONDES = 0.001
# Objects made, and collections of the younger ones, before the garbage collector looks for cycles: at 700 objects it
# looked several times an answer.
RAMASSAGE = (10_000, 10, 10)
DESCRIPTEURS = 65_536  # at the most; a shell gives 1 024, fewer than a campus keeps connections


class Command(BaseCommand):
    help = (
        "Migre la base, crée les données de démonstration au premier démarrage local, puis sert HTTP, WebSocket et "
        "tâches dans un seul processus. HOST, PORT, DATA_DIR et DEMO=1 sont lus dans l'environnement."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-migrate", action="store_true", help="ne pas migrer la base au démarrage")

    def execute(self, *args: Any, **options: Any) -> Any:
        """Take the signals here, not in `handle`: the checks before it query the base, and the end may come then."""
        # Nothing is in hand yet, and a base undoes by itself what it had begun. An exception is no way to leave: raised
        # in a finaliser it is ignored, in a callback of SQLite it comes out as another.
        _sur_les_signes(lambda _signe, _cadre: os._exit(0))
        return super().execute(*args, **options)

    def handle(self, *args: Any, no_migrate: bool, **options: Any) -> None:
        ecoute = ouvrir_ecoute()
        attendre_la_base()
        if not no_migrate:
            call_command("migrate", if_needed=True, interactive=False, verbosity=0)
        self._demonstration()
        ouvrier = OuvrierInterne()
        fin = Fin(ouvrier.prevenir)
        _sur_les_signes(lambda _signe, _cadre: fin.demander())
        reglages = uvicorn.Config(
            "config.asgi:application",
            log_config=None,
            access_log=False,
            proxy_headers=False,  # socle.api.reseau reads them, from TRUSTED_PROXIES alone
            server_header=False,
            http=Requetes,
            ws=Prises,
            loop="uvloop",
            ws_max_size=65_536,
            ws_per_message_deflate=False,
            timeout_keep_alive=OISIVE_SECONDES,
            timeout_graceful_shutdown=ARRET_SECONDES,
        )
        ouvrier.demarrer()
        try:
            Serveur(reglages, fin).run(sockets=[ecoute])
        finally:
            _sur_les_signes(signal.SIG_IGN)  # asked again, it is ending; a hang has its own timer
            ouvrier.arreter()

    def _demonstration(self) -> None:
        if settings.PORTAIL_ENABLED:
            self.stdout.write(f"Portail, pour qui signale : {settings.PUBLIC_URL}/")
        comptes = StringIO()
        est_le_premier = not apps.get_model(settings.AUTH_USER_MODEL)._default_manager.exists()
        if est_le_premier and (settings.DEMO or (settings.EMBARQUE and tout_est_local())):
            call_command("seed_demo", stdout=comptes)
        elif not est_le_premier:
            # Once only: an account that was closed or renamed since does not come back.
            self._rappeler_les_comptes(comptes)
        equipe = _compte_de_l_equipe(comptes.getvalue())
        self.stdout.write(f"Espace de l'équipe, pour qui traite : {settings.PUBLIC_URL}/equipe/{equipe}")
        self.stdout.write(f"Administration : {settings.PUBLIC_URL}/admin/")
        self.stdout.write(f"Documentation de l'API : {settings.PUBLIC_URL}/api/v1/docs")
        self.stdout.write(comptes.getvalue(), ending="")
        self.stdout.flush()

    def _rappeler_les_comptes(self, sortie: StringIO) -> None:
        ouverts = StringIO()
        call_command("seed_demo", "--list", stdout=ouverts)
        if not ouverts.getvalue():
            return
        sortie.write(f"Comptes de démonstration :\n{ouverts.getvalue()}")
        if not tout_est_local():
            sortie.write("ATTENTION : leur mot de passe est public et ce service ne l'est pas moins. Désactivez-les.\n")


def _compte_de_l_equipe(comptes: str) -> str:
    """Format the sign-in of a demonstration account that still opens the workspace, to be read beside the address."""
    lignes = (ligne.split() for ligne in comptes.splitlines())
    gestionnaires = (ligne for ligne in lignes if ligne[:1] == ["GESTIONNAIRE"] and len(ligne) == 3)
    courriel, secret = next(gestionnaires, ["", "", ""])[1:]
    return f" ({courriel}, {secret})" if courriel else ""


class Fin:
    """The end, once it is asked for: kept, so that one asked for while the server starts is not lost."""

    def __init__(self, prevenir: Callable[[], None]) -> None:
        self._prevenir = prevenir
        self._demandes: SimpleQueue[None] = SimpleQueue()
        self.est_demandee = False
        threading.Thread(target=self._borner, name="fin", daemon=True).start()

    def demander(self) -> None:
        """Warn the worker, and exit the process 11 s after the first call, whatever hangs.

        A signal handler calls it, hence takes no lock that the code it interrupts may hold: starting a thread does.
        """
        self.est_demandee = True
        self._prevenir()
        self._demandes.put(None)

    def _borner(self) -> None:
        self._demandes.get()
        time.sleep(FIN_SECONDES)
        _finir()


class Serveur(uvicorn.Server):
    def __init__(self, reglages: uvicorn.Config, fin: Fin) -> None:
        super().__init__(reglages)
        self._fin = fin

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        sys.setswitchinterval(BASCULE_SECONDES)
        _permettre_des_connexions()
        self.config.load()
        gc.collect()
        gc.freeze()  # what is loaded by now stays: no collection looks at it again
        gc.set_threshold(*RAMASSAGE)
        super().run(sockets)

    async def main_loop(self) -> None:
        if self._fin.est_demandee:  # while it was starting
            self.should_exit = True
        async with surveillees(self.server_state.connections):
            await super().main_loop()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept what the system has accepted for us, so that closing resets nobody, before uvicorn's own stop."""
        acceptees = [prise for ecoute in sockets or () for prise in _en_attente(ecoute)]
        for serveur in self.servers:
            serveur.close()
        for prise in acceptees:
            await asyncio.get_running_loop().connect_accepted_socket(self._protocole, prise)
        await super().shutdown(sockets)

    def _protocole(self) -> asyncio.Protocol:
        return Requetes(self.config, self.server_state, self.lifespan.state)

    def handle_exit(self, sig: int, frame: Any) -> None:
        self._fin.demander()
        super().handle_exit(sig, frame)


def _sur_les_signes(faire: Callable[[int, Any], None] | signal.Handlers) -> None:
    for signe in SIGNES:
        signal.signal(signe, faire)


def _en_attente(ecoute: socket.socket) -> Iterator[socket.socket]:
    """Take the connections that wait in the queue of a listening socket, up to what the system lets us hold."""
    with suppress(OSError):  # BlockingIOError: none is left
        while True:
            yield ecoute.accept()[0]


def _finir() -> None:
    journal.warning("Arrêt forcé : quelque chose ne répond plus.")
    os._exit(0)


def _permettre_des_connexions() -> None:
    """Raise the limit of open files as far as the system lets us."""
    permis, possible = resource.getrlimit(resource.RLIMIT_NOFILE)
    voulu = DESCRIPTEURS if possible == resource.RLIM_INFINITY else min(possible, DESCRIPTEURS)
    if permis != resource.RLIM_INFINITY and permis < voulu:
        resource.setrlimit(resource.RLIMIT_NOFILE, (voulu, possible))


def ouvrir_ecoute() -> socket.socket:
    """Open the listening socket first of all, so that a taken port is refused at once (CommandError)."""
    famille = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    try:
        cree = socket.create_server((settings.HOST, settings.PORT), family=famille, backlog=2048)
        # asyncio sends at once (TCP_NODELAY) only on a socket that says by name that it is TCP.
        return socket.socket(cree.family, cree.type, socket.IPPROTO_TCP, fileno=cree.detach())
    except OSError as erreur:
        raise CommandError(
            f"HOST={settings.HOST} PORT={settings.PORT} : écoute impossible ({erreur.strerror}). "
            "Le port est peut-être pris : donnez-en un autre, par exemple PORT=8001."
        ) from erreur
