"""manage.py seed_demo: people and reports to try the service with."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from demo.aide import installer_aide
from demo.dates import installer_dates
from demo.equipes import installer_equipes
from demo.evenements import installer_evenements
from demo.forum import installer_forum
from demo.reponses import installer_reponses
from demo.scene import comptes_ouverts, installer_comptes, installer_dossiers
from demo.textes import MOT_DE_PASSE
from demo.volume import actualiser_statistiques, completer
from discussions.models import Releve
from socle.moteur.delais import accorder
from socle.taches.exclusivite import un_seul

PAS_DU_COMPTE_RENDU = 100_000


class Command(BaseCommand):
    help = (
        "Crée les comptes de démonstration (un par rôle, un second gestionnaire), des signalements vraisemblables, "
        "dont dix discutés, un calendrier, un forum, une aide et une bibliothèque, des réponses types et des "
        "orientations, trois équipes, puis affiche rôle, e-mail et mot de passe de chaque compte. Rejouable : seul ce "
        "qui manque est créé. Ailleurs que sur la base SQLite embarquée, demande DEMO=1 ou --force : ces mots de "
        "passe sont publics."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--accounts-only", action="store_true", help="les comptes seuls : créer les absents, afficher tous"
        )
        parser.add_argument(
            "--list", action="store_true", help="afficher les comptes que le mot de passe public ouvre, sans rien créer"
        )
        parser.add_argument(
            "--reports",
            type=_nombre,
            default=0,
            metavar="N",
            help="compléter jusqu'à N signalements de volume, répartis sur trois ans, un sur cinq par des invités",
        )
        parser.add_argument("--force", action="store_true", help="accepter une base autre que la base SQLite embarquée")

    def handle(self, *args: Any, accounts_only: bool, reports: int, force: bool, **options: Any) -> None:
        if options["list"]:
            for personne, compte in comptes_ouverts():
                self.stdout.write(f"  {compte.role:<14} {personne.email:<30} {MOT_DE_PASSE}")
            return
        if not (settings.EMBARQUE or settings.DEMO or force):
            raise CommandError(
                "Cette base n'est pas la base SQLite embarquée : des comptes aux mots de passe publics y seraient "
                "créés. Si c'est voulu, ajoutez --force ou DEMO=1."
            )
        with un_seul("seed_demo"):
            self._installer(accounts_only, reports)

    def _installer(self, accounts_only: bool, reports: int) -> None:
        if not accounts_only:
            self.stdout.write(f"Signalements de démonstration ajoutés : {installer_dossiers()}")
            self.stdout.write(f"Événements de démonstration ajoutés : {installer_evenements()}")
            self.stdout.write(f"Publications de démonstration ajoutées : {installer_forum()}")
            self.stdout.write(f"Aide et ressources de démonstration ajoutées : {installer_aide()}")
            self.stdout.write(f"Réponses types et orientations de démonstration ajoutées : {installer_reponses()}")
            self.stdout.write(f"Dates de démonstration ajoutées : {installer_dates()}")
            self.stdout.write(f"Équipes de démonstration ajoutées : {installer_equipes()}")
        self._presenter_comptes()
        if reports:
            self._completer(reports)
        else:
            _faire_relire()

    def _presenter_comptes(self) -> None:
        self.stdout.write("Comptes de démonstration :")
        for personne, compte in installer_comptes():
            secret = MOT_DE_PASSE if compte.check_password(MOT_DE_PASSE) else "(mot de passe changé)"
            self.stdout.write(f"  {compte.role:<14} {personne.email:<30} {secret}")

    def _completer(self, nombre: int) -> None:
        accorder(0)
        if connection.vendor == "postgresql":
            with connection.cursor() as curseur:
                curseur.execute("SET synchronous_commit = off")
        debut, vus, ajoutes = time.monotonic(), 0, 0
        for lot in completer(nombre):
            ajoutes += lot
            if ajoutes // PAS_DU_COMPTE_RENDU > vus:
                vus = ajoutes // PAS_DU_COMPTE_RENDU
                self.stdout.write(f"  {ajoutes} ajoutés, {time.monotonic() - debut:.0f} s")
                self.stdout.flush()
        _faire_relire()
        actualiser_statistiques()
        duree = time.monotonic() - debut
        self.stdout.write(f"Signalements de volume : {nombre}, dont {ajoutes} ajoutés en {duree:.1f} s")


def _faire_relire() -> None:
    """Delete the team's `Releve` rows: the reports added are of days that they had passed."""
    Releve.objects.all().delete()


def _nombre(texte: str) -> int:
    if not (texte.isascii() and texte.isdigit() and int(texte) >= 1):
        raise ArgumentTypeError("un entier d'au moins 1 est attendu")
    return int(texte)
