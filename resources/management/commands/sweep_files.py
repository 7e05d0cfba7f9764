"""manage.py sweep_files: compare store and database, remove files without a row, name rows without a file."""

import os
import shutil
import stat
import time
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models.functions import Substr
from django.utils import timezone

from resources.models import Fichier
from resources.services.fichiers import oublier
from resources.stockage import dossiers_a_part, pannes_dites, seaux_connus, stockage
from resources.vocabulaire import EN_COURS

# Minimum age of an orphan: an upload is first a file, then a row.
DELAI = timedelta(hours=1)
# Patterns in the temporary folder: the file as Django receives it, and the copy that is being cleaned.
RECUS = ("tmp*.upload*", f"{EN_COURS}*")


class Command(BaseCommand):
    help = (
        "Compare le stockage et la base. Supprime les fichiers sans ligne de plus d'une heure : restes d'un envoi "
        "interrompu, ou d'une suppression que le stockage a manquée ; et, dans le dossier temporaire, ce qu'un "
        "processus tué recevait. Nomme les lignes sans fichier, et sort 1 s'il y en a : elles ne sont retirées "
        "qu'avec --rows, car un disque absent leur ressemble. --dry-run ne touche à rien."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="dire, sans rien supprimer")
        parser.add_argument("--rows", action="store_true", help="retirer aussi les lignes sans fichier")
        parser.add_argument("--force", action="store_true", help="même si aucun fichier présent n'a de ligne")

    def handle(self, *args: Any, dry_run: bool, rows: bool, force: bool, **options: Any) -> None:
        self._balayer_les_envois(simulation=dry_run)
        perdus: list[UUID] = []
        for seau in sorted(seaux_connus()):
            with pannes_dites():
                if not (force or Fichier.objects.filter(seau=seau).exists()) and _a_des_fichiers(seau):
                    raise CommandError(f"{seau} : des fichiers, et aucune ligne. Est-ce la bonne base ? (--force)")
                perdus += self._balayer(seau, simulation=dry_run)
                self._balayer_a_part(seau, simulation=dry_run)
        for pk in perdus:
            self.stdout.write(f"Le fichier {pk} n'est plus dans le stockage.")
            if rows and not dry_run:
                oublier(pk)
        if ailleurs := Fichier.objects.exclude(seau__in=seaux_connus()).values_list("seau", flat=True).distinct():
            noms = ", ".join(sorted(ailleurs))
            raise CommandError(f"{noms} : des fichiers y sont, et aucun réglage ne le nomme (AWS_STORAGE_BUCKET_NAME).")
        if perdus and not rows:
            raise CommandError(f"{len(perdus)} lignes sans fichier (--rows les retire).")

    def _balayer_les_envois(self, *, simulation: bool) -> None:
        """Remove what a killed process was receiving: not cleaned yet, it may hold the place of a photo."""
        restes = [chemin for motif in RECUS for chemin in Path(gettempdir()).glob(motif) if _est_un_reste(chemin)]
        for chemin in restes if not simulation else ():
            shutil.rmtree(chemin) if chemin.is_dir() else chemin.unlink()
        self.stdout.write(f"envois interrompus : {len(restes)} restes{'' if simulation else ' supprimés'}.")

    def _balayer(self, seau: str, *, simulation: bool) -> list[UUID]:
        """Remove the files without a row; return the ids of the rows without a file."""
        orphelins, perdus = 0, []
        for dossier in _dossiers(seau):
            presents = set(_lister(seau, dossier)[1])
            lignes = Fichier.objects.filter(seau=seau, cle__startswith=f"{dossier}/")
            connus = {cle.rpartition("/")[2]: pk for cle, pk in lignes.values_list("cle", "pk")}
            perdus += sorted(pk for nom, pk in connus.items() if nom not in presents)
            orphelins += _retirer(seau, dossier, presents - connus.keys(), simulation=simulation)
        self.stdout.write(f"{seau} : {orphelins} fichiers sans ligne{'' if simulation else ' supprimés'}.")
        return perdus

    def _balayer_a_part(self, seau: str, *, simulation: bool) -> None:
        for dossier, connues in dossiers_a_part.items():
            noms = {cle.rpartition("/")[2] for cle in connues(seau)}
            orphelins = _retirer(seau, dossier, set(_lister(seau, dossier)[1]) - noms, simulation=simulation)
            suite = "" if simulation else " supprimés"
            self.stdout.write(f"{seau}, {dossier} : {orphelins} fichiers sans ligne{suite}.")


def _retirer(seau: str, dossier: str, noms: set[str], *, simulation: bool) -> int:
    """Remove those of these files that are older than DELAI, unless simulated; return their number."""
    anciens = [f"{dossier}/{nom}" for nom in sorted(noms) if _est_ancien(seau, f"{dossier}/{nom}")]
    for cle in [] if simulation else anciens:
        stockage(seau).delete(cle)
    return len(anciens)


def _est_un_reste(chemin: Path) -> bool:
    """True where old, of this user and no symlink: in a folder that everybody writes to, one could lead elsewhere."""
    try:
        etat = chemin.lstat()
    except FileNotFoundError:
        return False  # received meanwhile
    est_ancien = time.time() - etat.st_mtime > DELAI.total_seconds()
    return est_ancien and etat.st_uid == os.getuid() and not stat.S_ISLNK(etat.st_mode)


def _a_des_fichiers(seau: str) -> bool:
    return any(_lister(seau, dossier)[1] for dossier in _envois(seau))


def _envois(seau: str) -> set[str]:
    """Names of the folders of uploads, without those of `dossiers_a_part`."""
    return set(_lister(seau, "")[0]) - {dossier for dossier, _connues in dossiers_a_part.items()}


def _dossiers(seau: str) -> list[str]:
    """Two-letter folders of the random names: those in the store, and those of the rows."""
    debuts = Fichier.objects.filter(seau=seau).annotate(debut=Substr("cle", 1, 2)).values_list("debut", flat=True)
    return sorted({*_envois(seau), *debuts.distinct()})


def _lister(seau: str, dossier: str) -> tuple[list[str], list[str]]:
    """`(folders, files)`; nothing where nothing was ever stored."""
    try:
        dossiers, noms = stockage(seau).listdir(dossier)
    except FileNotFoundError:
        return [], []
    return dossiers, noms


def _est_ancien(seau: str, cle: str) -> bool:
    date: Any = stockage(seau).get_modified_time(cle)
    return bool(date < timezone.now() - DELAI)
