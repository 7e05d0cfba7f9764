"""The share of promised days that are kept, from the counters."""

from datetime import timedelta
from typing import Any

from signalements.dates import OUVERTE, TARDIVE, TENUE
from signalements.vocabulaire import Axe
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import jour_du_campus
from stats.chiffres.sources import DeTous, Filtre

COLONNES = ("statut", "priorite")  # of these cells: the nature of a date, and whether it is kept


def delais(acteur: Acteur, filtre: Filtre) -> list[dict[str, Any]]:
    """Each nature of which a day of the filter was promised, by name: kept, kept late, past and not kept, to come."""
    source, hier = DeTous(acteur), jour_du_campus() - timedelta(days=1)
    passes = filtre._replace(fin=hier if filtre.fin is None else min(filtre.fin, hier))
    tous, en_retard = (source.lire(Axe.ECHEANCE, *COLONNES, filtre=un) for un in (filtre, passes))

    def nombre(sommes: Any, nature: str, tenue: str) -> int:
        mesures = sommes.get((nature, tenue))
        return 0 if mesures is None else int(mesures.nombre)

    return [
        _ligne(
            nature,
            nombre(tous, nature, TENUE),
            nombre(tous, nature, TARDIVE),
            nombre(en_retard, nature, OUVERTE),
            nombre(tous, nature, OUVERTE),
        )
        for nature in sorted({nature for nature, _tenue in tous})
    ]


def _ligne(nature: str, tenues: int, tardives: int, en_retard: int, ouvertes: int) -> dict[str, Any]:
    jugees = tenues + tardives + en_retard
    return {
        "nature": nature,
        "tenues": tenues,
        "tardives": tardives,
        "en_retard": en_retard,
        "en_cours": ouvertes - en_retard,
        "part_tenue": round(tenues / jugees, 4) if jugees else None,
    }
