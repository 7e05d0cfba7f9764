"""manage.py purge: run every registered purge, which deletes expired rows and files."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from socle.moteur.delais import accorder
from socle.taches.entretien import purges


class Command(BaseCommand):
    help = (
        "Supprime ce qui a fait son temps : sessions expirées, liens envoyés par e-mail, événements diffusés, "
        "tâches finies. À lancer chaque heure ; rejouable sans risque."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="compter sans rien supprimer")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        accorder(0)
        verbe = "à supprimer" if dry_run else "supprimé(s)"
        for quoi, purger in purges.items():
            self.stdout.write(f"{quoi} : {purger(simulation=dry_run)} {verbe}")
