"""The numbers of the team's first page, read in one place."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import reduce
from uuid import UUID

from django.utils import timezone

from signalements.compteurs.cellules import Mesures
from signalements.models import Signalement
from signalements.vocabulaire import RESOLUS, Axe, Statut
from socle.domaine.acteurs import Acteur
from stats.chiffres.series import aujourd_hui, par_periode
from stats.chiffres.sources import DeTous, Filtre
from stats.vocabulaire import Pas

JOURS = 30
PLUS_LONGUES_ATTENTES = 10


@dataclass(frozen=True)
class Jour:
    """A day of the campus; `delai` is the mean time to resolution, in hours, of the cases resolved on it."""

    date: date
    recus: int = 0
    resolus: int = 0
    delai: float | None = None


@dataclass(frozen=True)
class Attente:
    """An open case as the whole team may see it: neither its author nor who handles it."""

    id: UUID
    reference: str
    titre: str
    type: str
    statut: str
    priorite: str
    date_creation: datetime
    jours: int


@dataclass(frozen=True)
class Tableau:
    """The numbers of the page; durations are in hours, None where nothing was resolved."""

    par_statut: dict[str, int]
    tendance: list[Jour]
    delai_moyen: float | None
    delai_moyen_recent: float | None
    nouveaux_7_jours: int
    en_attente_longtemps: list[Attente]

    @property
    def total(self) -> int:
        return sum(self.par_statut.values())

    @property
    def resolus(self) -> int:
        return sum(self.par_statut[statut] for statut in RESOLUS)

    @property
    def ouverts(self) -> int:
        return self.total - self.resolus


def lire(acteur: Acteur) -> Tableau:
    """Read the page's numbers for this person, in a constant number of queries."""
    source, fin = DeTous(acteur), aujourd_hui()
    mois = Filtre(fin - timedelta(days=JOURS - 1), fin)
    statuts = source.lire(Axe.TOUT, "statut", filtre=Filtre())
    recus = par_periode(source, Axe.JOUR, Pas.JOUR, mois)
    resolus = [resolus for _jour, resolus in par_periode(source, Axe.RESOLUTION, Pas.JOUR, mois)]
    tendance = [
        Jour(jour, crees.nombre, finis.resolus, finis.heures)
        for (jour, crees), finis in zip(recus, resolus, strict=True)
    ]
    return Tableau(
        par_statut={statut: statuts.get((statut,), Mesures()).nombre for statut in Statut.values},
        tendance=tendance,
        delai_moyen=_ensemble(statuts.values()).heures,
        delai_moyen_recent=_ensemble(resolus).heures,
        nouveaux_7_jours=sum(jour.recus for jour in tendance[-7:]),
        en_attente_longtemps=_attentes(acteur, timezone.now()),
    )


def _ensemble(parties: Iterable[Mesures]) -> Mesures:
    return reduce(Mesures.plus, parties, Mesures())


def _attentes(acteur: Acteur, maintenant: datetime) -> list[Attente]:
    """The ten oldest open cases, with the full days that each has waited."""
    return [
        Attente(
            id=dossier.pk,
            reference=dossier.reference,
            titre=dossier.titre,
            type=dossier.type,
            statut=dossier.statut,
            priorite=dossier.priorite,
            date_creation=dossier.date_creation,
            jours=max((maintenant - dossier.date_creation).days, 0),
        )
        for dossier in Signalement.objects.visibles_par(acteur).non_traites()[:PLUS_LONGUES_ATTENTES]
    ]
