from datetime import timedelta

from resources.stockage import Liens, lien_du_seau
from stats.models import Export

liens = Liens("stats/exports/{}/fichier", sel="lien d'export")
# One minute is enough: the redirection from our own link is followed at once.
DUREE_DANS_LE_SEAU = timedelta(minutes=1)


def lien_de_l_export(export: Export) -> str:
    """A signed URL that gives the file for an hour, without credentials."""
    return liens.adresse(export.pk)


def adresse_dans_le_seau(export: Export) -> str:
    return lien_du_seau(export, nom=export.nom_fichier, type_servi=export.type_servi, duree=DUREE_DANS_LE_SEAU)
