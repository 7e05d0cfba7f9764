"""The numbers of the team's first page, read in one place."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import TruncDate
from django.utils import timezone

from config.domaine.identite import masquer
from config.domaine.temps import debut_du_jour
from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import RESOLUS, Statut, TypeEntree

JOURS = 30
PLUS_LONGUES_ATTENTES = 10


@dataclass(frozen=True)
class Jour:
    """A day of the campus; `delai` is the mean, in hours, of what was resolved on it."""

    date: date
    recus: int = 0
    resolus: int = 0
    delai: float | None = None


@dataclass(frozen=True)
class Attente:
    """An open case as the whole team may see it: neither its author nor who handles it."""

    reference: str
    titre: str
    type: str
    statut: str
    priorite: str
    date_creation: datetime
    jours: int


@dataclass(frozen=True)
class Tableau:
    """Durations are in hours, None where nothing was resolved."""

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


def lire() -> Tableau:
    """What the team sees, in a number of queries that depends on nothing."""
    maintenant = timezone.now()
    aujourdhui = maintenant.astimezone(settings.TIME_ZONE_CAMPUS).date()
    tendance = _tendance(aujourdhui)
    recents = [(jour.delai, jour.resolus) for jour in tendance if jour.delai is not None]
    nombre = sum(resolus for _delai, resolus in recents)
    return Tableau(
        par_statut=_par_statut(),
        tendance=tendance,
        delai_moyen=_heures(_resolus().aggregate(delai=Avg(_DELAI))["delai"]),
        delai_moyen_recent=sum(delai * resolus for delai, resolus in recents) / nombre if nombre else None,
        nouveaux_7_jours=sum(jour.recus for jour in tendance[-7:]),
        en_attente_longtemps=_attentes(maintenant),
    )


def _par_statut() -> dict[str, int]:
    lignes = Signalement.objects.vivants().order_by().values("statut").annotate(nombre=Count("*"))
    nombres: Counter[str] = Counter({ligne["statut"]: ligne["nombre"] for ligne in lignes})
    return {statut: nombres[statut] for statut in Statut.values}


def _tendance(aujourdhui: date) -> list[Jour]:
    jours = [aujourdhui - timedelta(days=rang) for rang in reversed(range(JOURS))]
    debut = debut_du_jour(jours[0])
    recus = _par_jour(Signalement.objects.vivants().filter(date_creation__gte=debut), "date_creation", n=Count("*"))
    resolus = _par_jour(_resolus().filter(resolu_le__gte=debut), "resolu_le", n=Count("*"), delai=Avg(_DELAI))
    rien: dict[str, Any] = {"n": 0, "delai": None}
    return [
        Jour(jour, recus.get(jour, rien)["n"], (fait := resolus.get(jour, rien))["n"], _heures(fait["delai"]))
        for jour in jours
    ]


def _par_jour(lignes: QuerySet[Any], moment: str, **calculs: Any) -> dict[date, dict[str, Any]]:
    """Grouped by days of the campus."""
    jour = TruncDate(moment, tzinfo=settings.TIME_ZONE_CAMPUS)
    groupes = lignes.order_by().annotate(jour=jour).values("jour").annotate(**calculs)
    return {groupe["jour"]: groupe for groupe in groupes}


_DELAI = ExpressionWrapper(F("resolu_le") - F("date_creation"), output_field=DurationField())


def _resolus() -> QuerySet[Any]:
    """Those that are resolved now, with the moment of their latest passage from another status."""
    passages = EntreeTimeline.objects.filter(signalement=OuterRef("pk"), type=TypeEntree.STATUT, apres__in=RESOLUS)
    dernier = passages.exclude(avant__in=RESOLUS).order_by("-date_creation").values("date_creation")[:1]
    resolus = Signalement.objects.vivants().filter(statut__in=RESOLUS)
    return resolus.annotate(resolu_le=Subquery(dernier)).filter(resolu_le__isnull=False)


def _heures(duree: timedelta | None) -> float | None:
    return duree.total_seconds() / 3600 if duree is not None else None


def _attentes(maintenant: datetime) -> list[Attente]:
    """What has waited longest; nobody reads this as its writer, so a pasted guest id is masked for all."""
    return [
        Attente(
            reference=dossier.reference,
            titre=masquer(dossier.titre, dossier.secrets_colles),
            type=dossier.type,
            statut=dossier.statut,
            priorite=dossier.priorite,
            date_creation=dossier.date_creation,
            jours=max((maintenant - dossier.date_creation).days, 0),
        )
        for dossier in Signalement.objects.vivants().non_traites()[:PLUS_LONGUES_ATTENTES]
    ]
