"""The reads of reports that pages and doors ask for, prepared."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, Count, F, Func, Q, QuerySet
from django.db.models.functions import Coalesce

from signalements.comptees import COMPTEES
from signalements.models import AlerteDeDossier, Signalement
from signalements.querysets import SommeEntiere
from signalements.vocabulaire import RECHERCHES
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee


class Secondes(Func):
    """Whole seconds from the second moment to the first, at least 0, as the counters count them."""

    output_field = BigIntegerField()
    template = "GREATEST(FLOOR(EXTRACT(EPOCH FROM %(expressions)s)), 0)::bigint"
    arg_joiner = " - "

    def as_sqlite(self, compiler: Any, connection: Any, **contexte: Any) -> Any:
        microsecondes = "MAX(django_timestamp_diff(%(expressions)s) / 1000000, 0)"
        return self.as_sql(compiler, connection, template=microsecondes, arg_joiner=", ", **contexte)


@preparee
def accessible(acteur: Acteur, pk: UUID | str, a_rendre: bool) -> QuerySet[Any]:
    lignes = Signalement.objects.pour_lecture(acteur) if a_rendre else Signalement.objects.order_by()
    return lignes.visibles_par(acteur).menant_a(pk)


@preparee
def les_siens(acteur: Acteur) -> QuerySet[Any]:
    return Signalement.objects.pour_lecture(acteur).de(acteur)


@preparee
def tous(acteur: Acteur, depuis: datetime | None = None, avant: datetime | None = None) -> QuerySet[Any]:
    return Signalement.objects.pour_lecture(acteur).visibles_par(acteur).crees(depuis, avant)


@preparee
def non_traites(acteur: Acteur, depuis: datetime | None = None, avant: datetime | None = None) -> QuerySet[Any]:
    return Signalement.objects.pour_lecture(acteur).visibles_par(acteur).non_traites().crees(depuis, avant)


@preparee
def en_alerte(acteur: Acteur) -> QuerySet[Any]:
    return Signalement.objects.visibles_par(acteur).en_alerte().defer(*RECHERCHES)


@preparee
def autres_alertes(acteur: Acteur) -> QuerySet[Any]:
    """Open alerts that no status raised, of the cases that this person of the team reads and did not write."""
    lignes = AlerteDeDossier.objects.visibles_par(acteur).ouvertes().select_related("signalement")
    return lignes.defer(*(f"signalement__{nom}" for nom in ("description", *RECHERCHES)))


@preparee
def derniers(acteur: Acteur, statut: str | None = None) -> QuerySet[Any]:
    """The newest first, of this status or of all."""
    lignes: QuerySet[Any] = Signalement.objects.visibles_par(acteur).order_by("-date_creation", "-id")
    return (lignes if statut is None else lignes.filter(statut=statut)).defer(*RECHERCHES)


@preparee
def les_siens_comptes(
    acteur: Acteur,
    colonnes: tuple[str, ...],
    depuis: datetime | None,
    avant: datetime | None,
    type: str | None,
    recents_depuis: datetime,
) -> QuerySet[Any]:
    """Rows of these columns, then recent ones, number, resolved ones and their seconds, of the actor's own reports."""
    siens = Signalement.objects.vivants().de(acteur).crees(depuis, avant).order_by()
    if type is not None:
        siens = siens.filter(type=type)
    duree = Secondes(F("date_resolution"), F("date_creation"))
    durees = SommeEntiere(duree, filter=Q(date_resolution__isnull=False))
    recents = Count("date_creation", filter=Q(date_creation__gte=recents_depuis))  # which the index carries
    mesures = {"nombre": Count("*"), "resolus": Count("date_resolution"), "secondes": Coalesce(durees, 0)}
    lignes: QuerySet[Any] = siens.values_list(*colonnes).annotate(recents=recents, **mesures)
    return lignes


@preparee
def les_siens_comptables(acteur: Acteur) -> QuerySet[Any]:
    siens: QuerySet[Any] = Signalement.objects.vivants().de(acteur).order_by()
    return siens.values_list(*COMPTEES)
