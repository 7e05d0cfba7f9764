"""manage.py changepassword: by the service, so that the sessions end, the journal has it, and the person is told."""

import getpass
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Compte
from accounts.services.comptes import imposer_mot_de_passe
from socle.domaine.adresses import canonique
from socle.erreurs import ChampsInvalides


class Command(BaseCommand):
    help = "Pose un mot de passe demandé au terminal ; toutes les sessions du compte se terminent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="l'adresse du compte")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        compte = Compte.objects.filter(email=canonique(email)).first()
        if compte is None:
            raise CommandError("Aucun compte n'a cette adresse.")
        choisi = getpass.getpass("Nouveau mot de passe : ")
        if choisi != getpass.getpass("Encore une fois : "):
            raise CommandError("Les deux ne sont pas les mêmes : rien n'est changé.")
        try:
            imposer_mot_de_passe(compte=compte, nouveau_mot_de_passe=choisi, acteur=None)
        except ChampsInvalides as refus:
            raise CommandError(" ".join(str(detail["message"]) for detail in refus.details)) from refus
        self.stdout.write("Mot de passe changé.")
