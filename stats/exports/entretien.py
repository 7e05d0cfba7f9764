import math
import shutil
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from resources.stockage import dossiers_a_part, effacer, seaux_connus
from socle.taches.entretien import purges
from stats.models import Export
from stats.signals import export_termine
from stats.vocabulaire import DOSSIER, StatutExport


@dossiers_a_part(DOSSIER)
def cles_connues(seau: str) -> list[str]:
    return list(Export.objects.filter(seau=seau).exclude(cle="").values_list("cle", flat=True))


@purges("Fichiers d'export de plus d'un jour")
def fichiers(*, simulation: bool) -> int:
    """Delete the file, then its key: interrupted in between, it is done again. The row stays, as an audit trail."""
    exports = Export.objects.a_retirer().filter(seau__in=seaux_connus())
    if simulation:
        return exports.count()
    a_retirer = list(exports.order_by("date_expiration", "id"))
    for export in a_retirer:
        effacer(export.seau, export.cle)
        export.cle = ""
        export.enregistrer("cle")
    return len(a_retirer)


@purges("Exports jamais finis, dits en échec")
def abandonnes(*, simulation: bool) -> int:
    """Mark as failed the exports whose task is lost, after EXPORT_FILE_LIFETIME: nobody waits for them for ever."""
    perdus = Export.objects.en_cours().filter(date_creation__lte=timezone.now() - settings.EXPORT_FILE_LIFETIME)
    if simulation:
        return perdus.count()
    total = 0
    for export in perdus:
        with transaction.atomic():
            export.verrouiller()
            if export.statut == StatutExport.EN_COURS:
                export.finir()
                export_termine.send(Export, export=export)
                total += 1
    return total


@purges("Dossiers temporaires d'exports interrompus")
def restes(*, simulation: bool) -> int:
    """Delete this machine's temporary folders older than a day, left by killed processes: no export takes as long."""
    limite = (timezone.now() - settings.EXPORT_FILE_LIFETIME).timestamp()
    vieux = [reste for reste in settings.EXPORT_TEMP_DIR.glob("*") if _date_de(reste) < limite]
    for reste in [] if simulation else vieux:
        shutil.rmtree(reste, ignore_errors=True)  # another purge may have just taken it
    return len(vieux)


def _date_de(dossier: Path) -> float:
    try:
        return dossier.stat().st_mtime
    except FileNotFoundError:  # an export that has just ended
        return math.inf
