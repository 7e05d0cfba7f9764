"""Floor of free disk: uploads are refused below it, so that the database and the rest go on."""

import logging
import shutil
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from socle.erreurs import ServiceIndisponible

journal = logging.getLogger("campus.disque")
MO = 1024 * 1024
PART = 20  # a small disk keeps a twentieth of itself, where no setting says more
SILENCE = 60.0  # seconds between two lines of the log
_dit_a = -SILENCE


class DisquePlein(ServiceIndisponible):
    message = _("Le service n'a plus assez de place pour recevoir des fichiers. Réessayez plus tard.")


def exiger_du_disque(*dossiers: str | Path, octets: int = 0) -> None:
    """Compare free space less these bytes with the floor, in these folders and the temporary one; DisquePlein (503)."""
    try:
        for dossier in (tempfile.gettempdir(), *dossiers):
            _exiger(Path(dossier).absolute(), octets)
    except OSError as panne:  # a disk that does not even say how full it is
        raise DisquePlein(attente=60) from panne


def _exiger(dossier: Path, octets: int) -> None:
    endroit = next(parent for parent in (dossier, *dossier.parents) if parent.exists())
    disque = shutil.disk_usage(endroit)
    if disque.free - octets < plancher(disque.total):
        _prevenir(endroit)
        raise DisquePlein(attente=300)


def plancher(total: int) -> int:
    """The floor in bytes of a disk of this size."""
    regle = settings.FREE_DISK_FLOOR_MB
    return min(500 * MO, total // PART) if regle is None else regle * MO


def _prevenir(endroit: Path) -> None:
    global _dit_a
    if time.monotonic() - _dit_a > SILENCE:
        _dit_a = time.monotonic()
        journal.error("moins de place que FREE_DISK_FLOOR_MB sous %s : plus aucun fichier n'est reçu", endroit)
