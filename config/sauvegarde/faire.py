"""Make a backup: whole, or not there."""

import os
import shutil
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages
from django.db import connection

from config.sauvegarde import manifeste as m
from config.sauvegarde.outils import vider_vers
from personnes.services import journal


def sauvegarder(dans: Path) -> Path:
    """Write a backup into a new folder of `dans`, and return it; a failure leaves nothing there.

    The base first: a file that comes later is one that no row of the copy names. Files never change, so those that
    the backup before has are linked, not copied, where the disk is the same.
    """
    masque = os.umask(0o077)
    try:
        return _sauvegarder(dans)
    finally:
        os.umask(masque)


def racine() -> Path:
    """The folder of the local store."""
    return Path(storages["local"].location)  # type: ignore[attr-defined]


def _sauvegarder(dans: Path) -> Path:
    dans.mkdir(parents=True, exist_ok=True)
    date = m.maintenant()
    dossier = dans / f"{m.PREFIXE}{date:%Y%m%dT%H%M%SZ}"
    precedentes = m.faites(dans)
    partiel = dans / f".{dossier.name}.{os.getpid()}"
    partiel.mkdir()
    try:
        vider_vers(connection, partiel / m.BASES[connection.vendor])
        if journal.chemin().exists():  # after the base: it knows whoever was erased since
            shutil.copyfile(journal.chemin(), partiel / m.EFFACEMENTS)
        nombre = _copier_les_fichiers(partiel / m.FICHIERS, precedentes[-1] / m.FICHIERS if precedentes else None)
        m.Manifeste(
            date=date.isoformat(timespec="seconds"),
            version=settings.VERSION,
            moteur=connection.vendor,
            cles=m.empreintes_des_cles(),
            nombre_de_fichiers=nombre,
            sommes=m.sommer(partiel),
            seau=settings.AWS_STORAGE_BUCKET_NAME,
        ).ecrire(partiel)
        partiel.rename(dossier)
    except BaseException:
        shutil.rmtree(partiel, ignore_errors=True)
        raise
    return dossier


def garder(dans: Path, nombre: int) -> list[Path]:
    """Remove all backups but the latest `nombre`; return those that are gone."""
    retirees = m.faites(dans)[:-nombre]
    for une in retirees:
        shutil.rmtree(une)
    return retirees


def _copier_les_fichiers(vers: Path, precedents: Path | None) -> int:
    nombre = 0
    for chemin in sorted(un for un in racine().rglob("*") if un.is_file()):
        relatif = chemin.relative_to(racine())
        (vers / relatif).parent.mkdir(parents=True, exist_ok=True)
        try:
            _lier_ou_copier(chemin, vers / relatif, precedents / relatif if precedents else None)
        except FileNotFoundError:  # deleted since it was listed: its row said so already
            continue
        nombre += 1
    return nombre


def _lier_ou_copier(chemin: Path, vers: Path, precedent: Path | None) -> None:
    taille = chemin.stat().st_size
    if precedent is not None and precedent.is_file() and precedent.stat().st_size == taille:
        try:
            os.link(precedent, vers)
            return
        except OSError:  # another disk, or one without links
            pass
    shutil.copyfile(chemin, vers)
