"""manage.py restauration: put a backup back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.sauvegarde import manifeste as m
from config.sauvegarde import remettre
from personnes.services.journal import JournalFaux
from socle.audit.sceaux import sceller
from socle.moteur.delais import accorder


class Command(BaseCommand):
    help = (
        "Remet une sauvegarde, service arrêté : vérifie tout avant de toucher à rien, remplace la base, rend les "
        "fichiers qui manquent, met le schéma à jour, termine toutes les sessions et efface de nouveau qui fut effacé "
        "depuis. Les identifiants d'invités et les codes du portail restent bons."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dossier", type=Path, help="le dossier d'une sauvegarde, campus-…")
        parser.add_argument("--par-dessus", action="store_true", help="remplacer une base qui n'est pas vide")

    def handle(self, *args: Any, dossier: Path, par_dessus: bool, **options: Any) -> None:
        try:
            manifeste = remettre.exiger_possible(dossier, par_dessus=par_dessus)
        except m.SauvegardeFausse as fausse:
            raise CommandError(f"Rien n'a été changé. {fausse}") from fausse
        try:
            fait = remettre.remettre(dossier, manifeste)
        except (m.SauvegardeFausse, JournalFaux, OSError) as panne:
            raise CommandError(f"La sauvegarde n'est pas remise en entier ; recommencez. {panne}") from panne
        self.stdout.write(
            f"Base du {manifeste.date} ; {fait['fichiers']} fichier(s) rendu(s) ; {fait['sessions']} session(s) et "
            f"{fait['acces']} accès du portail terminés ; {fait['invitations']} invitation(s) révoquée(s) ; "
            f"{fait['effacements']} effacement(s) rejoué(s)."
        )
        self.stdout.write(
            "Ce qui fut décidé depuis est à refaire avant d'ouvrir : comptes désactivés, rôles, seconds facteurs, "
            "personnes écartées d'un dossier, sessions invitées désactivées, gels."
        )
        if manifeste.seau:
            self.stdout.write(f"Les fichiers du seau {manifeste.seau} n'étaient pas dans la sauvegarde.")
        accorder(0)
        sceller()  # as the worker would have: a service that had died had no time for it
        for commande in (("stats_recount", "--check"), ("merge_audit", "verify"), ("audit", "verify")):
            call_command(*commande, stdout=self.stdout)
