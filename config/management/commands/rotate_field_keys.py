"""manage.py rotate_field_keys: encrypts every encrypted field again with the first key."""

from argparse import ArgumentParser
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Model

from socle.domaine.chiffrement import ChampChiffre, Illisible
from socle.domaine.verrous import verrouiller_dans_l_ordre

LOT = 500


class Command(BaseCommand):
    help = (
        "Rechiffre tous les champs chiffrés avec la première clé de FIELD_ENCRYPTION_KEYS. "
        "Pour changer de clé : placez la nouvelle devant l'ancienne, redémarrez, lancez cette commande, "
        "puis retirez l'ancienne. Rejouable ; une valeur qu'aucune clé n'ouvre arrête la commande sans rien perdre."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="compter et tout déchiffrer, sans rien écrire")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        for modele in apps.get_models():
            for champ in modele._meta.get_fields():
                if isinstance(champ, ChampChiffre):
                    nombre = rechiffrer(modele, champ.name, simulation=dry_run)
                    self.stdout.write(f"{modele._meta.label}.{champ.name} : {nombre} valeur(s)")


def rechiffrer(modele: type[Model], champ: str, *, simulation: bool) -> int:
    """Rewrite a field in batches by primary key, rows locked, a transaction each; return the number of values."""
    total, derniere = 0, None
    while True:
        with transaction.atomic():
            lignes = modele._base_manager.only("pk", champ)
            if derniere:
                lignes = lignes.filter(pk__gt=derniere)
            lot = verrouiller_dans_l_ordre(lignes, exclusif=True, au_plus=LOT)
            if any(getattr(ligne, champ) is Illisible.SANS_CLE for ligne in lot):
                raise CommandError(
                    f"{modele._meta.label}.{champ} : une valeur après la ligne {derniere or 'première'} ne s'ouvre "
                    "avec aucune clé de FIELD_ENCRYPTION_KEYS. Remettez l'ancienne clé à la fin de la liste."
                )
            if lot and not simulation:
                modele._base_manager.bulk_update(lot, [champ])
        if not lot:
            return total
        total, derniere = total + len(lot), lot[-1].pk
