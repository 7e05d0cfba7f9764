from typing import Any
from uuid import UUID

from resources.stockage import seaux_connus
from socle.audit.models import objets_caches
from socle.audit.registre import consulter
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable
from stats.erreurs import ExportEnCours, ExportEnEchec, ExportRetire
from stats.exports.liens import liens
from stats.models import Export
from stats.vocabulaire import StatutExport


def export_accessible(acteur: Acteur, pk: UUID | str) -> Export:
    """The export, for its requester or with STATS_CONSULTER_EXPORTS; Introuvable (404) for anyone else."""
    export: Export | None = Export.objects.visibles_par(acteur).filter(pk=pk).first()
    if export is None:
        raise Introuvable
    if export.compte_id != acteur.pk:  # a link names nobody: whoever is given one is noted here
        consulter(acteur, Acte.EXPORT_OUVERT, export.pk, Sorte.EXPORT)
    return export


@objets_caches("les exports où peut être un dossier dont on est écarté")
def exports_fermes(acteur: Acteur) -> Any:
    """An export that the register names, and that answers 404, would tell of that case; a team's is no secret."""
    return Export.objects.ou_est_un_reserve(acteur).order_by().values("pk")


def export_du_lien(pk: UUID | str, jeton: str) -> Export:
    """The export of a signed link, valid for an hour; refuses with the reason where there is no file."""
    export: Export | None = Export.objects.filter(pk=pk).first()
    if export is None:
        raise Introuvable
    liens.exiger(export.pk, jeton)
    if export.statut == StatutExport.EN_COURS:
        raise ExportEnCours
    if export.statut == StatutExport.ECHEC:
        raise ExportEnEchec
    if export.est_retire or export.seau not in seaux_connus():
        raise ExportRetire
    return export
