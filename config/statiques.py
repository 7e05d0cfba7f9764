"""Static files under hashed names, compressed, cached a year; the first process to start collects them, under a lock.

Each state of the files has its own folder under STATIC_ROOT, put there by one rename: no process sees it half made, and
the folder that another one still serves is not touched.
"""

import fcntl
import hashlib
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import UserSettingsHolder, settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from socle.pages.intergiciels import DesPages

journal = logging.getLogger("campus.serveur")
UN_AN = 365 * 24 * 3600
EMPREINTE = re.compile(r"\.[0-9a-f]{12}(?=\.[^./]+$)")
PROVISOIRE = "."
# Served as they are, and not collected: source maps, and the files of DRF's own pages, which are not open.
SANS_EMPREINTE = ["*.map", "rest_framework"]


@cache
def etat() -> str:
    """Fingerprint of the static files by path, size and date, this module included: the name of their folder."""
    fichiers = [Path(__file__), *(Path(lieu.path(nom)) for f in finders.get_finders() for nom, lieu in f.list([]))]
    lignes = [f"{fichier} {(s := fichier.stat()).st_size} {s.st_mtime_ns}" for fichier in fichiers]
    return hashlib.sha256("\n".join(sorted(lignes)).encode()).hexdigest()[:16]


class Magasin(CompressedManifestStaticFilesStorage):
    """Manifest storage that falls back to the plain name of what is not collected."""

    keep_only_hashed_files = True

    def __init__(self, location: Any = None, **options: Any) -> None:
        super().__init__(location or Path(settings.STATIC_ROOT, etat()), **options)

    def read_manifest(self) -> str | None:
        """None where the manifest is absent or unreadable; `preparer` logs why it could not be written."""
        try:
            return super().read_manifest()
        except OSError:
            return None

    def load_manifest(self) -> tuple[dict[str, str], str]:
        """No names where it is truncated, as a power cut may leave it: `preparer` collects again."""
        try:
            noms, empreinte = super().load_manifest()
        except ValueError:
            return {}, ""
        return noms, empreinte

    def stored_name(self, name: str) -> str:
        """The hashed name, or the name itself if the manifest lacks it: the finders serve it, and no page fails."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name

    def hashed_name(self, name: str, *args: Any, **options: Any) -> str:
        try:
            return str(super().hashed_name(name, *args, **options))
        except ValueError:  # a file that another names, and that is not collected
            return name


class ParEmpreinte(WhiteNoiseMiddleware):
    """WhiteNoise on the current folder; a name with the hash of another version falls back to the name without it."""

    FOREVER = UN_AN

    def __init__(self, get_response: Any) -> None:
        magasin: Any = staticfiles_storage
        if not (settings.DEBUG or getattr(settings, "WHITENOISE_AUTOREFRESH", False)):
            preparer(magasin)
        self._hachees = set(magasin.hashed_files.values())
        reglages = UserSettingsHolder(settings)
        reglages.STATIC_ROOT = (
            magasin.location if os.path.isdir(magasin.location) else None
        )  # no error where it is shut
        super().__init__(get_response, settings=reglages)

    def __call__(self, request: Any) -> Any:
        chemin = request.path_info
        if chemin.startswith(self.static_prefix):
            for nom in (chemin, EMPREINTE.sub("", chemin)):
                fichier = self.find_file(nom) if self.autorefresh else self.files.get(nom)
                if fichier is not None:
                    with suppress(FileNotFoundError):  # swept from under a process that runs for long
                        return self.serve(fichier, request)
        return self.get_response(request)

    def immutable_file_test(self, path: str, url: str) -> bool:
        return url.removeprefix(self.static_prefix) in self._hachees


class Statiques(DesPages, ParEmpreinte):
    pass


def preparer(magasin: Any) -> None:
    """Collect the files once for this machine, under a lock that the others wait for; log where the disk refuses."""
    dossier = Path(magasin.location)
    try:
        if not magasin.load_manifest()[0]:
            dossier.parent.mkdir(parents=True, exist_ok=True)
            with _seul(dossier.parent):
                if not magasin.load_manifest()[0]:
                    _rassembler(dossier)
        os.utime(dossier)  # a version that is served again is not the next to be swept
    except OSError as erreur:
        journal.warning(
            "Fichiers statiques : %s. Ce qui n'est pas rassemblé est servi sans être comprimé ni gardé.", erreur
        )
    magasin.hashed_files, magasin.manifest_hash = magasin.load_manifest()


@contextmanager
def _seul(dossier: Path) -> Iterator[None]:
    descripteur = os.open(dossier, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descripteur, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descripteur)


def _rassembler(dossier: Path) -> None:
    """Collect into a temporary folder, rename it; keep the previous one, which a process may still serve."""
    la = sorted(dossier.parent.iterdir(), key=lambda chemin: chemin.stat().st_mtime)
    anciens = [chemin for chemin in la if not chemin.name.startswith(PROVISOIRE) and chemin != dossier]
    with tempfile.TemporaryDirectory(dir=dossier.parent, prefix=PROVISOIRE) as provisoire:
        commande = collectstatic.Command()
        commande.storage = Magasin(location=Path(provisoire, "tout"))
        call_command(commande, interactive=False, verbosity=0, ignore_patterns=list(SANS_EMPREINTE))
        if dossier in la:
            shutil.rmtree(dossier)
        Path(provisoire, "tout").rename(dossier)
    for chemin in set(la) - {dossier, *anciens[-1:]}:
        shutil.rmtree(chemin) if chemin.is_dir() else chemin.unlink()
