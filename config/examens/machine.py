"""Examinations of this machine: room on its disks, who may read its files, the age of the last backup."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from config import env
from config.checks import tout_est_local
from config.examens.constat import Constat, attention, bien, examen, panne
from config.examens.taches import duree
from config.sauvegarde import manifeste as m
from config.sauvegarde.faire import racine
from personnes.services import journal
from personnes.services.effacements import absentes_du_journal
from socle.domaine.disque import plancher

MO = 1024 * 1024
TROP_VIEILLE, BIEN_TROP_VIEILLE = timedelta(hours=30), timedelta(days=7)
NOEUDS_MINIMUM = 1_000
MONTRES = 3


@examen("disque")
def disque() -> Iterator[Constat]:
    """Free space of each disk that the service writes to, against FREE_DISK_FLOOR_MB; and its inodes."""
    vus: set[int] = set()
    for nom, dossier in _dossiers():
        endroit = next(parent for parent in (dossier, *dossier.parents) if parent.exists())
        if (appareil := endroit.stat().st_dev) in vus:
            continue
        vus.add(appareil)
        yield _place(nom, endroit)


def _dossiers() -> Iterator[tuple[str, Path]]:
    yield "DATA_DIR", Path(settings.DATA_DIR)
    yield "DATA_DIR/files", racine()
    yield "DATA_DIR/tmp", Path(settings.EXPORT_TEMP_DIR)
    yield "le dossier temporaire", Path(tempfile.gettempdir())
    if settings.BACKUP_DIR:
        yield "BACKUP_DIR", Path(settings.BACKUP_DIR).absolute()


def _place(nom: str, endroit: Path) -> Constat:
    place = shutil.disk_usage(endroit)
    noeuds = os.statvfs(endroit)
    dit = f"{nom} : {place.free // MO} Mo libres sur {place.total // MO}"
    remede = "Faites de la place : « manage.py purge », « sweep_files », vieilles sauvegardes, journaux."
    if place.free < plancher(place.total):
        return panne(f"{dit}, sous FREE_DISK_FLOOR_MB : aucun fichier n'est reçu.", remede)
    if noeuds.f_files and noeuds.f_favail < NOEUDS_MINIMUM:
        return panne(f"{nom} : plus que {noeuds.f_favail} fichiers peuvent y être créés.", remede)
    if place.free < 2 * plancher(place.total):
        return attention(f"{dit} : bientôt trop peu.", remede)
    return bien(f"{dit}.")


@examen("permissions")
def permissions() -> Iterator[Constat]:
    """Files that others than the service may read: the data folder and what is in it, secrets, backups."""
    ouverts = [chemin for chemin in _reserves() if _est_ouvert(chemin)]
    if ouverts:
        noms = ", ".join(map(str, ouverts[:MONTRES])) + (" …" if len(ouverts) > MONTRES else "")
        yield panne(
            f"{len(ouverts)} chemin(s) que d'autres peuvent lire : {noms}.",
            "« chmod o= » sur chacun ; cherchez qui a pu les lire entre-temps.",
        )
    if not est_a_nous(settings.DATA_DIR):
        yield attention(
            "DATA_DIR n'appartient pas à l'utilisateur de cette commande.",
            "Lancez les commandes sous l'utilisateur du service, sinon il ne peut plus écrire ce qu'elles laissent.",
        )
    elif os.geteuid() == 0 and not tout_est_local():
        yield attention("Le service tourne sans doute en root.", "Donnez-lui un utilisateur (deploy/systemd).")
    if not ouverts:
        yield bien("Données, secrets et sauvegardes ne se lisent que par le service, et par son groupe où il le peut.")


def _reserves() -> Iterator[Path]:
    """Yield the paths that nobody else may read; inside a folder that is closed nothing needs a look."""
    donnees = Path(settings.DATA_DIR)
    yield donnees
    yield from env.fichiers.values()
    if _est_ouvert(donnees):
        yield from _dans(donnees / "secrets")
        yield racine()
    fichier = Path(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and fichier.is_file() and _est_ouvert(fichier.parent):
        yield from (fichier.with_name(fichier.name + fin) for fin in ("", "-wal", "-shm"))
    if settings.BACKUP_DIR:
        yield from m.faites(Path(settings.BACKUP_DIR))


def _dans(dossier: Path) -> Iterable[Path]:
    return [dossier, *dossier.iterdir()] if dossier.is_dir() else []


def _est_ouvert(chemin: Path) -> bool:
    return chemin.exists() and bool(stat.S_IMODE(chemin.stat().st_mode) & stat.S_IRWXO)


def est_a_nous(chemin: Path) -> bool:
    return not chemin.exists() or chemin.stat().st_uid == os.geteuid()


@examen("sauvegarde")
def sauvegarde() -> Iterator[Constat]:
    """Age of the last finished backup, and whether today's keys would open it."""
    remede = "Lancez « manage.py sauvegarde » chaque nuit, et copiez-la ailleurs."
    if not settings.BACKUP_DIR:
        constat = "BACKUP_DIR n'est pas donné : nulle sauvegarde n'est connue d'ici."
        yield bien(constat) if tout_est_local() else attention(constat, remede)
        return
    faites = m.faites(Path(settings.BACKUP_DIR))
    if not faites:
        yield panne("Aucune sauvegarde entière dans BACKUP_DIR.", remede)
        return
    manifeste = m.lire(faites[-1])
    age = m.maintenant() - manifeste.moment
    dit = f"La dernière sauvegarde a {duree(age)}"
    if age > TROP_VIEILLE:
        yield (panne if age > BIEN_TROP_VIEILLE else attention)(f"{dit}.", remede)
    else:
        yield bien(f"{dit} ; « manage.py sauvegarde --verifier » la relit entière.")
    if manifeste.cles["HASH_KEY"] != m.empreintes_des_cles()["HASH_KEY"]:
        yield panne(
            "HASH_KEY n'est plus celle de la dernière sauvegarde.", "Retrouvez l'ancienne : elle ne change jamais."
        )


@examen("effacements")
def effacements() -> Iterator[Constat]:
    """The log of erasures: whole, written by nobody else, read by nobody else, with all that the base knows erased."""
    fichier = journal.chemin()
    try:
        nombre = len(journal.reunir(journal.lire(fichier)))
    except journal.JournalFaux as faux:
        yield panne(str(faux), "Sans lui, une sauvegarde remise rendrait qui a été effacé (docs/droits.md).")
        return
    if not os.access(fichier if fichier.exists() else fichier.parent, os.W_OK):
        yield panne(f"Le journal des effacements ne s'écrit pas : {fichier}.", "Voyez ERASURE_LOG, et son dossier.")
    if journal.est_ouvert_a_d_autres():
        yield panne(f"D'autres que le service peuvent lire {fichier}.", "« chmod 600 » sur ce fichier.")
    if absentes := absentes_du_journal():
        yield panne(
            f"{len(absentes)} effacement(s) de la base ne sont pas au journal.",
            "Retrouvez-le, puis « manage.py effacer --completer-le-journal ».",
        )
    else:
        yield bien(f"{nombre} effacement(s) notés hors de la base.")
