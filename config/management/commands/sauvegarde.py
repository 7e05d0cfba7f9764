"""manage.py sauvegarde: write a backup of base and files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.sauvegarde import faire
from config.sauvegarde import manifeste as m


class Command(BaseCommand):
    help = (
        "Écrit une sauvegarde dans un dossier neuf : la base par son propre outil, les fichiers, des sommes de "
        "contrôle. Le service peut tourner. Les secrets n'y sont pas : gardez-les à part. --verifier en relit une."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dossier", nargs="?", type=Path, help="où l'écrire ; BACKUP_DIR si rien n'est dit")
        parser.add_argument("--garder", type=int, metavar="N", help="ne garder ensuite que les N dernières")
        parser.add_argument("--verifier", action="store_true", help="vérifier celle de ce dossier, sans rien écrire")

    def handle(self, *args: Any, dossier: Path | None, garder: int | None, verifier: bool, **options: Any) -> None:
        dossier = dossier or (Path(settings.BACKUP_DIR) if settings.BACKUP_DIR else None)
        if dossier is None:
            raise CommandError("Dites où : manage.py sauvegarde DOSSIER, ou le réglage BACKUP_DIR.", returncode=2)
        if garder is not None and garder < 1:
            raise CommandError("--garder : on attend un entier d'au moins 1.", returncode=2)
        try:
            if verifier:
                manifeste = m.lire(dossier)
                m.verifier(dossier, manifeste)
                self.stdout.write(f"Entière : {manifeste.nombre_de_fichiers} fichier(s), {manifeste.date}.")
                return
            faite = faire.sauvegarder(dossier)
            self.stdout.write(f"{faite} : {m.lire(faite).nombre_de_fichiers} fichier(s).")
            if settings.AWS_STORAGE_BUCKET_NAME:
                self.stdout.write(f"Le seau {settings.AWS_STORAGE_BUCKET_NAME} n'y est pas : versionnez-le.")
            for retiree in faire.garder(dossier, garder) if garder else []:
                self.stdout.write(f"{retiree} : retirée.")
        except (m.SauvegardeFausse, OSError) as panne:
            raise CommandError(str(panne)) from panne
