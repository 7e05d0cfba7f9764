"""The reads of the counters, prepared, and their sums."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import BigIntegerField, F, Func, Q, QuerySet, Window

from equipes.models import MembreDEquipe
from signalements.comptees import COMPTEES
from signalements.compteurs.cellules import Mesures, Sommes, reunies
from signalements.models import Effectif, Signalement
from signalements.querysets import SommeEntiere
from signalements.vocabulaire import CHANGEMENTS, SANS_EQUIPE, Axe
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee

# Reports, resolved ones, their seconds.
SOMMES = (SommeEntiere("nombre"), SommeEntiere("resolus"), SommeEntiere("secondes"))


class SommeGlissante(Func):
    """The sum over a window of what a group has summed, which Django's own Sum refuses."""

    function = "SUM"
    output_field = BigIntegerField()
    window_compatible = True


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
    lecteur: Acteur | None = None,
) -> QuerySet[Any]:
    """Rows of these columns of the counters, then the sums of the three measures, over the cells of the filters.

    Several axes are to be asked for with those of their changes (`CHANGEMENTS`). With `lecteur`, of what this person of
    the staff reads by their teams; None: of all.
    """
    lignes: QuerySet[Any] = _cellules(locals()).values_list(*par).annotate(*SOMMES)
    return lignes


@preparee
def nombres(axe: Axe, jour__gte: date, type: str | None, lecteur: Acteur | None) -> QuerySet[Any]:
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
    lecteur: Acteur | None = None,
) -> QuerySet[Any]:
    """The day that holds the row of this rank, how many rows it holds with those before it, and how many alone.

    `plies`: over the cells of this axis alone, which are read in the order of their index up to that day, and not over
    its changes, which no fold has told apart yet.
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
    donnes = {nom: valeur for nom, valeur in criteres.items() if nom not in ("par", "lecteur") and valeur is not None}
    changements = CHANGEMENTS.get(donnes.get("axe"))  # type: ignore[arg-type]
    if changements is not None and not seules:
        donnes["axe__in"] = [donnes.pop("axe"), changements]
    cellules, lecteur = Effectif.objects.filter(**donnes).order_by(), criteres.get("lecteur")
    if lecteur is None:
        return cellules
    return cellules.filter(Q(equipe=SANS_EQUIPE) | Q(equipe__in=MembreDEquipe.objects.equipes_de(lecteur.compte)))


@preparee
def reserves_comptables(acteur: Acteur) -> QuerySet[Any]:
    """The counted columns of the reserved reports that this person may read: no counter holds them."""
    siens: QuerySet[Any] = Signalement.objects.visibles_par(acteur).reserves().order_by()
    return siens.values_list(*COMPTEES)


def lire(*par: str, **filtres: Any) -> Sommes:
    """Sum the measures of the filtered cells, grouped by these columns: {their values: measures}."""
    return sommes(effectifs(par, **filtres).lignes())


def sommes(lignes: Iterable[Any]) -> Sommes:
    """{values of the columns: measures} from the rows of `effectifs`."""
    return {ligne[:-3]: Mesures._make(ligne[-3:]) for ligne in lignes}


def total(**filtres: Any) -> Mesures:
    """Sum the measures of the filtered cells."""
    return reunies(lire("axe", **filtres))
