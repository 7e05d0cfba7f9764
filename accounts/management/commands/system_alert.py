"""manage.py system_alert: tells every connected administrator something."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from accounts.vocabulaire import NIVEAUX
from socle.realtime.diffusion import publier


class Command(BaseCommand):
    help = "Envoie un événement system_alert aux administrateurs connectés au canal « admin »."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("message", help="le texte, 500 caractères au plus")
        parser.add_argument("--niveau", choices=NIVEAUX, default="INFO", help="gravité (INFO par défaut)")

    def handle(self, *args: Any, message: str, niveau: str, **options: Any) -> None:
        with transaction.atomic():
            publier("system_alert", ["admin"], {"niveau": niveau, "message": message[:500]})
        self.stdout.write("Alerte envoyée.")
