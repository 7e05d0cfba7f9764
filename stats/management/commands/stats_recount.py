"""manage.py stats_recount: recount reports and unread messages, and correct what is kept, or with --check compare."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from discussions import recompte
from signalements.compteurs.cellules import Cellule, Compteurs
from signalements.compteurs.pliage import plier
from signalements.compteurs.recompte import ecarts, recompter
from signalements.vocabulaire import SANS_EQUIPE

MONTRES = 20


class Command(BaseCommand):
    help = (
        "Recompte tous les signalements et corrige les compteurs dont viennent le tableau de bord, les statistiques et "
        "le total des listes, puis à qui est chaque discussion et ses messages non lus ; le service peut continuer à "
        "écrire. À lancer après un changement de TIME_ZONE_CAMPUS ou de version. "
        "--check ne change rien : sort 1 et montre les écarts s'il y en a."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="comparer sans corriger ; sort 1 s'il y a un écart")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        trouves = ecarts() if check else recompter()
        discussions = len(recompte.ecarts()) if check else recompte.corriger()
        if not trouves and not discussions:
            self.stdout.write("Les compteurs sont justes.")
            return
        self._montrer(trouves)
        if discussions:
            self.stdout.write(f"  {discussions} discussion(s) : à qui elle est, ou ses messages non lus")
        nombre = len(trouves) + discussions
        if check:
            raise CommandError(f"{nombre} compteur(s) faux. « manage.py stats_recount » les corrige.")
        if trouves:
            plier()
        self.stdout.write(f"{nombre} compteur(s) corrigé(s).")

    def _montrer(self, trouves: Compteurs) -> None:
        for cellule in sorted(trouves)[:MONTRES]:
            mesures = trouves[cellule]
            self.stdout.write(
                f"  {_nom(cellule)} : {mesures.nombre:+d} signalement(s), {mesures.resolus:+d} résolu(s), "
                f"{mesures.secondes:+d} s"
            )
        if len(trouves) > MONTRES:
            self.stdout.write(f"  … et {len(trouves) - MONTRES} autres")


def _nom(cellule: Cellule) -> str:
    axe, _jour, *dimensions = cellule
    jour = "" if cellule.jour.year == 1 else cellule.jour.isoformat()
    return " ".join(str(morceau) for morceau in (axe, jour, *dimensions) if morceau and morceau != SANS_EQUIPE)
