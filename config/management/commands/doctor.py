"""manage.py doctor: one page on what is wrong and what to do, or the same as JSON."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.examens import avis, base, machine, reglages, services, taches, textes  # noqa: F401 -- they register themselves
from config.examens.constat import Examine, Gravite, du_pire_au_meilleur, examens, examiner


class Command(BaseCommand):
    help = (
        "Dit en une page ce qui ne va pas et quoi faire : réglages, schéma, ouvrier, Redis, stockage, e-mails, disque, "
        "horloges, compteurs, registre, droits des fichiers, sauvegardes, effacements. N'envoie rien, ne corrige rien. "
        "Sort 0 si tout va, 1 s'il y a de quoi s'inquiéter, 2 si quelque chose est en panne."
    )
    requires_system_checks = []  # they are one of the examinations

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("noms", nargs="*", metavar="EXAMEN", help="ces examens seuls")
        parser.add_argument("--json", action="store_true", help="la même chose, pour une machine")

    def handle(self, *args: Any, noms: list[str], json: bool, **options: Any) -> None:
        if inconnus := sorted(set(noms) - set(examens)):
            raise CommandError(f"Examen inconnu : {', '.join(inconnus)}. Il y a {', '.join(examens)}.", returncode=2)
        choisis = {nom: examen for nom, examen in examens.items() if not noms or nom in noms}
        examines = examiner(choisis)
        pire = max(un.etat for un in examines)
        self.stdout.write(en_json(examines, pire) if json else en_page(examines))
        sys.exit(pire)


def en_page(examines: list[Examine]) -> str:
    marge = 12 + max(len(un.nom) for un in examines)
    lignes = []
    for nom, constat in du_pire_au_meilleur(examines):
        lignes.append(f"{constat.etat.mot:<10}{nom:<{marge - 10}}{constat.constat}")
        if constat.remede:
            lignes.append(f"{'':<{marge}}→ {constat.remede}")
    etats = [un.etat for un in examines]
    bilan = f"{etats.count(Gravite.PANNE)} panne(s), {etats.count(Gravite.ATTENTION)} attention(s)"
    return "\n".join([*lignes, "", f"{bilan}, {etats.count(Gravite.OK)} examen(s) sans reproche."])


def en_json(examines: Iterable[Examine], pire: Gravite) -> str:
    rendu = {
        "etat": pire.mot,
        "version": settings.VERSION,
        "date": timezone.now().isoformat(timespec="seconds"),
        "examens": [
            {
                "nom": un.nom,
                "etat": un.etat.mot,
                "secondes": round(un.secondes, 3),
                "constats": [{"etat": c.etat.mot, "constat": c.constat, "remede": c.remede} for c in un.constats],
            }
            for un in examines
        ],
    }
    return json.dumps(rendu, ensure_ascii=False, indent=2)
