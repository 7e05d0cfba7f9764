"""The reads of reports that pages and doors ask for, prepared."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, Count, F, Func, Q, QuerySet, Window
from django.db.models.functions import Coalesce

from signalements.colonnes import COMPTEES
from signalements.models import AlerteDeDossier, Effectif, Signalement
from signalements.querysets import SOMMES, SommeEntiere
from signalements.vocabulaire import RECHERCHES, REGARDS, Axe
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee


class SommeGlissante(Func):
    """The sum over a window of what a group has summed, which Django's own Sum refuses."""

    function = "SUM"
    output_field = BigIntegerField()
    window_compatible = True


class Secondes(Func):
    """Whole seconds from the second moment to the first, at least 0, as `effectifs` counts them."""

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


@preparee
def reserves_comptables(acteur: Acteur) -> QuerySet[Any]:
    """The counted columns of the reserved reports that this person may read: no counter holds them."""
    siens: QuerySet[Any] = Signalement.objects.visibles_par(acteur).reserves().order_by()
    return siens.values_list(*COMPTEES)


@preparee
def effectifs(
    par: tuple[str, ...],
    axe: Axe | None = None,
    axe__in: tuple[Axe, ...] | None = None,
    jour__gte: date | None = None,
    jour__lte: date | None = None,
    type: str | None = None,
    statut: str | None = None,
    statut__in: tuple[str, ...] | None = None,
    priorite: str | None = None,
    source: str | None = None,
    gestionnaire: str | None = None,
) -> QuerySet[Any]:
    """Rows of these columns of the counters, then the sums of the three measures, over the cells of the filters.

    Of several axes, those of REGARDS are to be asked for with ENSEMBLE, whose rows are for each of them.
    """
    lignes: QuerySet[Any] = _cellules(locals()).values_list(*par).annotate(*SOMMES)
    return lignes


@preparee
def nombres(axe: Axe, jour__gte: date, type: str | None) -> QuerySet[Any]:
    """The count of each row of the counters, over the cells of the filters, as in `effectifs`."""
    return _cellules(locals()).values_list("nombre", flat=True)


_DU_RANG = ("rang", "ouverts", "recents_d_abord", "plies")


@preparee
def jour_du_rang(
    rang: int,
    ouverts: bool,
    recents_d_abord: bool,
    plies: bool,
    axe: Axe,
    jour__gte: date | None = None,
    jour__lte: date | None = None,
    type: str | None = None,
    statut: str | None = None,
    priorite: str | None = None,
    source: str | None = None,
) -> QuerySet[Any]:
    """The day that holds the row of this rank, how many rows it holds with those before it, and how many alone.

    `plies`: over the cells of this axis alone, which are read in the order of their index up to that day, and not those
    of ENSEMBLE, whose changes no fold has told apart yet.
    """
    criteres = {nom: valeur for nom, valeur in locals().items() if nom not in _DU_RANG}
    nombre = F("nombre") - F("resolus") if ouverts else F("nombre")
    ordre = F("jour").desc() if recents_d_abord else F("jour").asc()
    jours = _cellules(criteres, seules=plies).values("jour").annotate(n=SommeEntiere(nombre))
    jours = jours.annotate(compris=Window(SommeGlissante(F("n")), order_by=ordre))
    # In the order of the window, and of the groups, so that their sums stop there.
    atteint: QuerySet[Any] = jours.filter(compris__gt=rang).order_by(ordre)
    return atteint.values_list("jour", "compris", "n")


def _cellules(criteres: dict[str, Any], *, seules: bool = False) -> QuerySet[Any]:
    donnes = {nom: valeur for nom, valeur in criteres.items() if nom != "par" and valeur is not None}
    if donnes.get("axe") in REGARDS and not seules:
        donnes["axe__in"] = [donnes.pop("axe"), Axe.ENSEMBLE]
    return Effectif.objects.filter(**donnes).order_by()
