from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from resources.stockage import effacer, exiger_de_la_place
from signalements.filters import dossier_nomme
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import masquer_ecrits
from socle.idempotence.creation import creation
from socle.metriques import exports_total
from stats.exports.fichier import ecrire
from stats.exports.selection import CHOISIS, depassent, signalements_a_exporter
from stats.exports.tasks import ecrire_export
from stats.models import Export
from stats.signals import export_termine
from stats.vocabulaire import StatutExport


def demander(*, acteur: Acteur, format: str, filtres: dict[str, Any]) -> Export:
    """Create an export: a small one is ready at once, file before row; one past EXPORT_BACKGROUND_ROWS is a task."""
    export = Export(compte=acteur.compte, format=format, filtres=filtres)
    masquer_ecrits(export)
    if depassent(signalements_a_exporter(acteur, filtres), settings.EXPORT_BACKGROUND_ROWS):
        exiger_de_la_place(0, settings.EXPORT_TEMP_DIR)
        return _enregistrer(export, en_tache=True)
    try:
        _ecrire(export)
    except Exception:
        exports_total.labels(export.format, StatutExport.ECHEC).inc()
        raise
    exports_total.labels(export.format, export.statut).inc()
    return export


def _ecrire(export: Export) -> None:
    ecrit = ecrire(export)
    try:
        export.devenir_pret(**ecrit.en_colonnes())
        _enregistrer(export)
    except BaseException:
        effacer(ecrit.seau, ecrit.cle)
        raise


@creation
def _enregistrer(export: Export, *, en_tache: bool = False) -> Export:
    export.save(force_insert=True)
    criteres = {"format": export.format, **export.filtres}
    if choisis := criteres.pop(CHOISIS, ()):  # each is noted apart, where it is hidden from whom it is closed to
        criteres["nombre"] = len(choisis)
    if dossier_nomme(export.filtres) is not None:  # the line is about the export, and hidden with no case
        del criteres["search"]
    consigner(Acte.EXPORT_DEMANDE, par=export.compte, objet=export.pk, sorte=Sorte.EXPORT, **criteres)
    if en_tache:
        ecrire_export.enqueue(str(export.pk))
    return export


@transaction.atomic
def perimer(*, avant: datetime) -> int:
    """End the exports asked for until then, which may name somebody who is erased: `purge` takes their files.

    One that is still being written fails, and its file is not kept; whoever wants it asks again.
    """
    demandes = Export.objects.filter(date_creation__lte=avant).order_by("pk")
    for export in demandes.en_cours():
        export.verrouiller()
        if export.statut == StatutExport.EN_COURS:
            export.finir()
            export_termine.send(Export, export=export)
    prets = demandes.filter(date_expiration__gt=timezone.now()).exclude(cle="")
    return prets.order_by().update(date_expiration=timezone.now())
