from accounts.models import Compte
from socle.domaine.acteurs import ActeurCompte
from stats.exports import services
from stats.models import Export
from stats.vocabulaire import FormatExport


def export(par: Compte, format: str = FormatExport.CSV, **filtres: str) -> Export:
    """Written at once, unless EXPORT_BACKGROUND_ROWS says otherwise."""
    return services.demander(acteur=ActeurCompte(compte=par), format=format, filtres=filtres)
