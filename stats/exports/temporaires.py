"""Temporary folders where exports are written before they are stored, removed however the writing ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from django.conf import settings

from socle.taches.entretien import a_l_arret

_ouverts: set[Path] = set()


@contextmanager
def dossier_temporaire() -> Iterator[Path]:
    settings.EXPORT_TEMP_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=settings.EXPORT_TEMP_DIR) as nom:
        dossier = Path(nom)
        _ouverts.add(dossier)
        try:
            yield dossier
        finally:
            _ouverts.discard(dossier)


@a_l_arret("Exports à moitié écrits")
def retirer_les_dossiers() -> None:
    """Remove the folders open in this process, whose writing threads end with it."""
    for dossier in list(_ouverts):
        rmtree(dossier, ignore_errors=True)
