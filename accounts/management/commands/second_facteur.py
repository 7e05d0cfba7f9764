"""manage.py second_facteur reset EMAIL: for the only administrator's lost device; journaled, recorded, mailed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.erreurs import SansSecondFacteur
from accounts.models import Compte
from accounts.services.second_facteur import reinitialiser
from socle.domaine.adresses import canonique


class Command(BaseCommand):
    help = "Retire le second facteur d'un compte dont l'appareil est perdu ; toutes ses sessions se terminent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("acte", choices=("reset",))
        parser.add_argument("email", help="l'adresse du compte")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        compte = Compte.objects.filter(email=canonique(email)).first()
        if compte is None:
            raise CommandError("Aucun compte n'a cette adresse.")
        try:
            reinitialiser(compte=compte, acteur=None)
        except SansSecondFacteur as refus:
            raise CommandError(str(refus.message)) from refus
        self.stdout.write("Second facteur retiré. Un autre s'active à la prochaine connexion.")
