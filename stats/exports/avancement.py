"""Progress of an export, kept in the cache: the export's own transaction shows no row before its end."""

import logging
from uuid import UUID

from django.core.cache import cache

from stats.models import Export
from stats.vocabulaire import StatutExport

journal = logging.getLogger("campus.exports")
GARDE = 3600
PRESQUE = 99  # at most, while the file is written but not stored


class Avancement:
    """Progress callback `(rows written, rows in all)` to the cache; silent after its first failure."""

    def __init__(self, pk: UUID) -> None:
        self._pk = pk
        self._dit = 0
        self._muet = False

    def __call__(self, faites: int, total: int) -> None:
        pourcentage = min(PRESQUE, 100 * faites // max(total, 1))
        if pourcentage == self._dit or self._muet:
            return
        self._dit = pourcentage
        try:
            cache.set(_cle(self._pk), pourcentage, GARDE)
        except Exception as panne:  # whatever the cache raises, the export goes on
            self._muet = True
            journal.warning("avancement d'un export non gardé (%s)", type(panne).__name__)


def progression(export: Export) -> int:
    """Percentage, 0 to 100; 0 for a failed export, or where the cache has none."""
    if export.statut != StatutExport.EN_COURS:
        return 100 if export.statut == StatutExport.PRET else 0
    try:
        return int(cache.get(_cle(export.pk)) or 0)
    except Exception as panne:  # whatever the cache raises, the rest is answered
        journal.warning("avancement d'un export illisible (%s)", type(panne).__name__)
        return 0


def _cle(pk: UUID) -> str:
    return f"export:{pk}"
