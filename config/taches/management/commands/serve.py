"""manage.py serve: the whole service in one process."""

import signal
import sys
from argparse import ArgumentParser
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from config.taches.ouvrier import OuvrierInterne


class Command(BaseCommand):
    help = (
        "Migre la base, crée les données de démonstration au premier démarrage local, puis sert HTTP, WebSocket et "
        "tâches dans un seul processus. HOST, PORT, DATA_DIR et DEMO=1 sont lus dans l'environnement."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-migrate", action="store_true", help="ne pas migrer la base au démarrage")

    def handle(self, *args: Any, no_migrate: bool, **options: Any) -> None:
        if not no_migrate:
            call_command("migrate", interactive=False, verbosity=0)
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        self._demonstration()
        # The server raises the signal again once it has stopped: then the worker ends too, and with status 0.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        ouvrier = OuvrierInterne()
        ouvrier.demarrer()
        try:
            uvicorn.run(
                "config.asgi:application",
                host=settings.HOST,
                port=settings.PORT,
                log_config=None,
                access_log=False,
                proxy_headers=False,  # the trusted proxies are ours to judge
                server_header=False,
                ws="websockets-sansio",
                ws_max_size=65_536,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=10,
                h11_max_incomplete_event_size=65_536,
            )
        finally:
            ouvrier.arreter()

    def _demonstration(self) -> None:
        self.stdout.write(f"Service : {settings.PUBLIC_URL}")
        self.stdout.write(f"Documentation : {settings.PUBLIC_URL}/api/v1/docs")
        if not (settings.DEMO or (settings.EMBARQUE and tout_est_local())):
            return
        if not apps.get_model(settings.AUTH_USER_MODEL)._default_manager.exists():
            call_command("seed_demo", stdout=self.stdout)
        else:
            call_command("seed_demo", "--accounts-only", stdout=self.stdout)
        self.stdout.flush()


def tout_est_local() -> bool:
    """Behind a reverse proxy the service listens locally and is public all the same: its host names tell."""
    hotes = [settings.HOST, urlsplit(settings.PUBLIC_URL).hostname or "", *settings.ALLOWED_HOSTS]
    return all(map(est_local, hotes))


def est_local(hote: str) -> bool:
    try:
        return hote == "localhost" or ip_address(hote.strip("[]")).is_loopback
    except ValueError:
        return False
