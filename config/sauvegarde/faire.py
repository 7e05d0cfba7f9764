"""Make a backup: whole, or not there."""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session as SessionDePage
from django.core.files.storage import storages
from django.db import connection

from config.sauvegarde import manifeste as m
from config.sauvegarde.outils import vider_vers
from personnes.services import journal
from portail.models import Acces, Brouillon

ABANDONNEE = 24 * 3600.0  # seconds without a file more
# What an open browser is found by, and what it has not sent: a copy outlives it, and nobody is to find it there.
# The other rows that tell who came in (an account's sessions) hold ids alone: a token is signed, and kept by nobody.
DES_NAVIGATEURS = (SessionDePage, Acces, Brouillon)


def sauvegarder(dans: Path) -> Path:
    """Write a backup into a new folder of `dans`, and return it; a failure leaves nothing there.

    The base first, without the rows of open browsers: a file that comes later is one that no row of the copy names.
    Files never change, so those that the backup before has, and has as it summed them, are linked, not copied, where
    the disk is the same.
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
    _balayer(dans)
    precedentes = m.faites(dans)
    partiel = dans / f".{dossier.name}.{os.getpid()}"
    partiel.mkdir()
    try:
        sans_lignes = [modele._meta.db_table for modele in DES_NAVIGATEURS]
        vider_vers(connection, partiel / m.BASES[connection.vendor], sans_lignes=sans_lignes)
        if journal.chemin().exists():  # after the base: it knows whoever was erased since
            shutil.copyfile(journal.chemin(), partiel / m.EFFACEMENTS)
        nombre, liees = _copier_les_fichiers(partiel, precedentes[-1] if precedentes else None)
        m.Manifeste(
            date=date.isoformat(timespec="seconds"),
            version=settings.VERSION,
            moteur=connection.vendor,
            cles=m.empreintes_des_cles(),
            nombre_de_fichiers=nombre,
            sommes=m.sommer(partiel, liees),
            seau=settings.AWS_STORAGE_BUCKET_NAME,
        ).ecrire(partiel)
        partiel.rename(dossier)
    except BaseException:
        shutil.rmtree(partiel, ignore_errors=True)
        raise
    return dossier


def _balayer(dans: Path) -> None:
    """Remove what backups that were killed have left, once none can still be at work there."""
    for partiel in dans.glob(f".{m.PREFIXE}*"):
        with suppress(FileNotFoundError):  # another one has just finished, or swept
            if partiel.stat().st_mtime < time.time() - ABANDONNEE:
                shutil.rmtree(partiel, ignore_errors=True)


def garder(dans: Path, nombre: int) -> list[Path]:
    """Remove all backups but the latest `nombre`; return those that are gone."""
    retirees = m.faites(dans)[:-nombre]
    for une in retirees:
        shutil.rmtree(une)
    return retirees


def _copier_les_fichiers(dossier: Path, precedente: Path | None) -> tuple[int, dict[str, str]]:
    """Copy or link each file; return how many there are, and the sums of those that were linked, by name."""
    nombre, liees = 0, {}
    connues = m.sommes_sures(precedente) if precedente is not None else {}
    for chemin in sorted(un for un in racine().rglob("*") if un.is_file()):
        nom = str(Path(m.FICHIERS) / chemin.relative_to(racine()))
        vers = dossier / nom
        vers.parent.mkdir(parents=True, exist_ok=True)
        try:
            if precedente is not None and _lier(chemin, precedente / nom, vers, connues.get(nom)):
                liees[nom] = connues[nom]
            else:
                shutil.copyfile(chemin, vers)
        except FileNotFoundError:  # deleted since it was listed: its row said so already
            continue
        nombre += 1
    return nombre, liees


def _lier(chemin: Path, precedent: Path, vers: Path, somme: str | None) -> bool:
    """Link what the backup before has of this file; False where it has it not, or not as it was summed."""
    taille = chemin.stat().st_size
    if somme is None or not precedent.is_file() or precedent.stat().st_size != taille:
        return False
    try:
        if m.somme_de(precedent) != somme:
            return False
        os.link(precedent, vers)
    except OSError:  # a disk that does not read it, another one, or one without links
        return False
    return True
