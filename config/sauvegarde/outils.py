"""The tools of the databases themselves."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from config.sauvegarde.manifeste import SauvegardeFausse

# Environment variables of libpq, for what settings name otherwise: a password is never on a command line.
_LIBPQ = {"NAME": "PGDATABASE", "USER": "PGUSER", "PASSWORD": "PGPASSWORD", "HOST": "PGHOST", "PORT": "PGPORT"}


def vider_vers(connexion: Any, fichier: Path, *, sans_lignes: Iterable[str] = ()) -> None:
    """Write the base into this file, as it is at one moment, while it is in use; these tables without their rows."""
    if connexion.vendor == "postgresql":
        options = [f"--exclude-table-data={table}" for table in sans_lignes]
        _lancer(connexion, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={fichier}", *options)
        return
    entiere = fichier.with_suffix(".entiere")
    try:
        _copier(connexion.settings_dict["NAME"], entiere)
        _alleger(entiere, fichier, sans_lignes)
    finally:
        entiere.unlink(missing_ok=True)


def remplir_depuis(connexion: Any, fichier: Path) -> None:
    """Make the base what this file holds; PostgreSQL in one transaction."""
    if connexion.vendor == "postgresql":
        connexion.close()
        options = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
        _lancer(connexion, "pg_restore", *options, f"--dbname={connexion.settings_dict['NAME']}", str(fichier))
    else:
        connexion.close()
        _copier(fichier, connexion.settings_dict["NAME"])


def _copier(de: Any, vers: Any) -> None:
    """SQLite's own online copy."""
    with closing(sqlite3.connect(de)) as source, closing(sqlite3.connect(vers)) as cible:
        source.backup(cible)


def _alleger(entiere: Path, vers: Path, sans_lignes: Iterable[str]) -> None:
    """Write the copy anew without these rows: a page of SQLite's keeps what was deleted from it, however long ago."""
    with closing(sqlite3.connect(entiere, isolation_level=None)) as copie:
        copie.execute("PRAGMA journal_mode = OFF")
        for table in sans_lignes:
            copie.execute(f'DELETE FROM "{table}"')  # noqa: S608 -- a name of our own models
        copie.execute("VACUUM INTO ?", (str(vers),))


def _lancer(connexion: Any, outil: str, *options: str) -> None:
    chemin = shutil.which(outil)
    if chemin is None:
        raise SauvegardeFausse(f"{outil} manque sur cette machine : installez les outils clients de PostgreSQL.")
    reglages = connexion.settings_dict
    # One name serves where the settings give a whole address to libpq.
    acces = {variable: str(reglages[nom]) for nom, variable in _LIBPQ.items() if reglages.get(nom)}
    fait = subprocess.run(  # noqa: S603 -- no shell, our own words
        [chemin, *options], env={**os.environ, **acces}, capture_output=True, text=True, check=False
    )
    if fait.returncode != 0:
        # The tool may quote rows: its first line says what is wrong.
        premiere = (fait.stderr.strip().splitlines() or ["sans message"])[0][:200]
        raise SauvegardeFausse(f"{outil} a échoué : {premiere}")
