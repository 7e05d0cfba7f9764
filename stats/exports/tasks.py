"""Large exports, written in the background."""

import logging
from uuid import UUID

from django.conf import settings
from django.db import transaction

from resources.stockage import effacer, exiger_de_la_place
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit
from socle.erreurs import PermissionRefusee
from socle.metriques import exports_total
from socle.taches.reprise import exiger_la_suite, tache
from stats.exports.avancement import Avancement
from stats.exports.fichier import Ecrit, ecrire
from stats.models import Export
from stats.signals import export_termine
from stats.vocabulaire import StatutExport

journal = logging.getLogger("campus.exports")


@tache(queue_name="exports", module="stats.taches")
def ecrire_export(export_id: str) -> None:
    """Write the export unless it has ended; of two runs the first to end gives its file. Any error marks it failed."""
    export = Export.objects.en_cours().select_related("compte").filter(pk=UUID(export_id)).first()
    if export is None:
        return
    try:
        _exiger_le_droit(export)
        exiger_de_la_place(0, settings.EXPORT_TEMP_DIR)
        ecrit = ecrire(export, suivre=Avancement(export.pk))
    except Exception as panne:  # whatever stops an export, its requester is told
        exiger_la_suite()
        _terminer(export)
        journal.error("export %s en échec (%s)", export.pk, type(panne).__name__)
    else:
        _garder(export, ecrit)


def _exiger_le_droit(export: Export) -> None:
    """Check the requester's right again: they may have left the team while it waited; PermissionRefusee."""
    if not (export.compte.est_actif and ActeurCompte(compte=export.compte).peut(Droit.STATS_EXPORTER)):
        raise PermissionRefusee


def _garder(export: Export, ecrit: Ecrit) -> None:
    garde = False
    try:
        garde = _terminer(export, **ecrit.en_colonnes())
    finally:
        if not garde:
            effacer(ecrit.seau, ecrit.cle)


@transaction.atomic
def _terminer(export: Export, **ecrit: object) -> bool:
    """Finish the export under its row lock, ready with `ecrit`, failed without; False where it had ended already."""
    export.verrouiller()
    if export.statut != StatutExport.EN_COURS:
        return False
    export.finir(**ecrit)
    transaction.on_commit(exports_total.labels(export.format, export.statut).inc, robust=True)
    export_termine.send(Export, export=export)
    return True
