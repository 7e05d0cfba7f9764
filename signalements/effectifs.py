"""Counters of reports by cell, kept with every change, so that no reading has to count reports.

A change appends delta rows, of either sign, in its own transaction: no writer waits for the lock of another.
`plier` folds these rows into one a cell. A reading sums a cell's rows, folded or not: it is exact at any time.
"""

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from signalements.colonnes import COMPTEES, Ligne, ouvrir_lignes
from signalements.lectures import effectifs, reserves_comptables
from signalements.models import Effectif, Signalement
from signalements.vocabulaire import REGARDS, TOUJOURS, Axe, Ouverture
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import source_montree
from socle.domaine.instant import un_instant
from socle.moteur.ecritures import ENSEMBLE_MAX, inserer_rangees
from socle.moteur.lectures import Passage
from socle.taches.entretien import chaque_minute

LOT = 5_000


class Cellule(NamedTuple):
    """Key of one counter; the dimensions that its axis does not look at are empty."""

    axe: str
    jour: date = TOUJOURS
    type: str = ""
    statut: str = ""
    priorite: str = ""
    mode: str = ""
    source: str = ""
    gestionnaire: str = ""


class Mesures(NamedTuple):
    """Reports, those of them that are resolved, and how long these took together, in seconds."""

    nombre: int = 0
    resolus: int = 0
    secondes: int = 0

    def plus(self, autre: "Mesures", signe: int = 1) -> "Mesures":
        return Mesures(self[0] + signe * autre[0], self[1] + signe * autre[1], self[2] + signe * autre[2])

    @property
    def heures(self) -> float | None:
        """Mean time to resolution, in hours; None where nothing is resolved."""
        return round(self.secondes / self.resolus / 3600, 2) if self.resolus else None


Compteurs = dict[Cellule, Mesures]
Sommes = dict[tuple[Any, ...], Mesures]


def cellules(ligne: Any, *, vu_par: Acteur | None = None) -> Iterator[tuple[Cellule, Mesures]]:
    """Yield each cell that a live report belongs to, with its measures; none once it was joined to another."""
    for cellule, mesures in _parts(ligne, vu_par):
        for une in _etaler(cellule):
            yield une, mesures


def _etaler(cellule: Cellule) -> Iterator[Cellule]:
    """The cells that a row is for: of ENSEMBLE, one on each axis of REGARDS; of any other axis, its own."""
    if cellule.axe != Axe.ENSEMBLE:
        yield cellule
        return
    for axe, regard in REGARDS.items():
        yield Cellule(axe, **{nom: getattr(cellule, nom) for nom in regard})


def _parts(ligne: Any, vu_par: Acteur | None = None) -> Iterator[tuple[Cellule, Mesures]]:
    """What a live report counts for, in as few rows as hold it."""
    if ligne.absorbe_par_id is not None:
        return
    mesures = _mesures(ligne)
    source = source_montree(ligne, vu_par=vu_par, dossier=ligne).value
    dimensions = (ligne.type, ligne.statut, ligne.priorite, ligne.mode_identification, source)
    yield Cellule(Axe.ENSEMBLE, _jour(ligne.date_creation), *dimensions), mesures
    if ligne.date_resolution is not None:
        yield Cellule(Axe.RESOLUTION, jour=_jour(ligne.date_resolution), type=ligne.type), mesures
    if ligne.gestionnaire_id is not None:
        gestionnaire = str(ligne.gestionnaire_id)
        yield Cellule(Axe.GESTIONNAIRE, statut=ligne.statut, gestionnaire=gestionnaire), mesures


def additionner(lignes: Iterable[Any], *, vu_par: Acteur | None = None) -> Compteurs:
    """Sum the cells of these reports as this reader is shown them; None: as all but the owner, like the counters."""
    return _sommer(part for ligne in lignes for part in cellules(ligne, vu_par=vu_par))


def comptes(lignes: Iterable[Any]) -> Compteurs:
    """Sum the parts that the counters keep: without reserved reports, which each reader adds (`Reserves`)."""
    return _sommer(part for ligne in lignes if ligne.ouvert_a == Ouverture.TOUS for part in _parts(ligne))


def _sommer(parts: Iterable[tuple[Cellule, Mesures]]) -> Compteurs:
    compte: Compteurs = {}
    for cellule, mesures in parts:
        deja = compte.get(cellule)
        compte[cellule] = mesures if deja is None else deja.plus(mesures)
    return compte


def _etalees(compte: Compteurs) -> Compteurs:
    return _sommer((une, mesures) for cellule, mesures in compte.items() for une in _etaler(cellule))


@contextmanager
def suivre(*signalements: Signalement) -> Iterator[None]:
    """Context manager around the insert of new reports or a change of locked ones: append the difference it makes."""
    with (
        ExitStack() as ouvertes,
        _suivre(lambda: [Ligne(**s.comptees) for s in signalements if s.comptees is not None]),
    ):
        for signalement in signalements:
            ouvertes.enter_context(signalement.ouvrir())
        yield


@contextmanager
def suivre_lignes(cles: Iterable[UUID]) -> Iterator[None]:
    """Context manager around bulk changes of these locked reports: query before and after, append the difference."""
    cles = list(cles)
    lignes = Signalement.objects.order_by().filter(pk__in=cles).values_list(*COMPTEES)
    with ouvrir_lignes(cles), _suivre(lambda: map(Ligne._make, lignes.all())):
        yield


@contextmanager
def _suivre(lire: Callable[[], Iterable[Any]]) -> Iterator[None]:
    avant = comptes(lire())
    yield
    _ajouter(_difference(comptes(lire()), avant))


def _difference(un: Compteurs, autre: Compteurs) -> Compteurs:
    ecarts = un | {c: un.get(c, Mesures()).plus(mesures, -1) for c, mesures in autre.items()}
    return {cellule: ecart for cellule, ecart in ecarts.items() if any(ecart)}


class _Rangee(NamedTuple):
    """A delta row, without the model: the columns of a cell, then those of its measures."""

    axe: str
    jour: date
    type: str
    statut: str
    priorite: str
    mode: str
    source: str
    gestionnaire: str
    nombre: int
    resolus: int
    secondes: int
    plie: bool = False


def _ajouter(compte: Compteurs) -> None:
    if len(compte) > ENSEMBLE_MAX:
        lignes = [Effectif(**c._asdict(), **m._asdict()) for c, m in compte.items()]
        Effectif.objects.bulk_create(lignes, batch_size=LOT)
    else:
        inserer_rangees(Effectif, [_Rangee(*cellule, *mesures) for cellule, mesures in compte.items()])


class Reserves:
    """The reserved reports that one person may read, as cells: read once, with what else is read then."""

    def __init__(self, acteur: Acteur) -> None:
        self._demande = reserves_comptables(acteur)
        self._lignes: list[Ligne] | None = None

    def passage(self) -> Passage:
        return self._demande.toutes()

    def accueillir(self, lues: Iterable[Any]) -> None:
        """Take the rows of `passage`."""
        self._lignes = [Ligne._make(lue) for lue in lues]

    @property
    def en_a(self) -> bool:
        return bool(self._lues())

    def sommes(self, axe: Axe, par: tuple[str, ...], **conditions: Any) -> Sommes:
        """The measures of the cells of these conditions, as `effectifs` takes them, summed by these columns."""
        sommes: Sommes = {}
        for cellule, mesures in self._cellules():
            if cellule.axe == axe and _repond(cellule, conditions):
                cle = tuple(getattr(cellule, nom) for nom in par)
                sommes[cle] = sommes.get(cle, Mesures()).plus(mesures)
        return sommes

    def par_jour(self, **conditions: Any) -> Iterator[tuple[date, Mesures]]:
        """Day of creation and measures of each report of these conditions, whatever axes they are of."""
        jours: dict[str, Any] = {nom: conditions.pop(nom) for nom in list(conditions) if nom.startswith("jour")}
        for ligne in self._lues():
            tout, jour = (next(p for p in cellules(ligne) if p[0].axe == axe) for axe in (Axe.TOUT, Axe.JOUR))
            if _repond(tout[0], conditions) and _repond(jour[0], jours):
                yield jour[0].jour, jour[1]

    def _cellules(self) -> Iterator[tuple[Cellule, Mesures]]:
        for ligne in self._lues():
            yield from cellules(ligne)

    def _lues(self) -> list[Ligne]:
        if self._lignes is None:
            self.accueillir(self._demande.lignes())
        return self._lignes or []


def _repond(cellule: Cellule, conditions: dict[str, Any]) -> bool:
    for nom, voulu in conditions.items():
        colonne, _, comparaison = nom.partition("__")
        valeur = getattr(cellule, colonne)
        if not _COMPARAISONS[comparaison](valeur, voulu):
            return False
    return True


_COMPARAISONS: dict[str, Callable[[Any, Any], bool]] = {
    "": operator.eq,
    "gte": operator.ge,
    "lte": operator.le,
    "in": lambda valeur, voulues: valeur in voulues,
}


# --- Upkeep -----------------------------------------------------------------------------------------------------------

_CELLULE = ", ".join(Cellule._fields)


def _etalee(axe: Axe, regard: tuple[str, ...]) -> str:
    """The rows of ENSEMBLE among `pris`, as those of one axis."""
    vide = Cellule(axe)
    colonnes = [nom if nom in regard else f"'{getattr(vide, nom)}'" for nom in Cellule._fields]
    return f"SELECT {', '.join(colonnes)}, nombre, resolus, secondes FROM pris WHERE axe = '{Axe.ENSEMBLE}'"  # noqa: S608


# One batch, small enough for the statement timeout.
_A_PLIER = "SELECT id FROM signalements_effectif WHERE NOT plie ORDER BY id LIMIT 50000"
_LIRE = "SELECT * FROM signalements_effectif WHERE id"
_RETIRER = "DELETE FROM signalements_effectif WHERE id"
_ETALEES = " UNION ALL ".join(
    [
        f"SELECT {_CELLULE}, nombre, resolus, secondes FROM pris WHERE axe <> '{Axe.ENSEMBLE}'",  # noqa: S608
        *(_etalee(axe, regard) for axe, regard in REGARDS.items()),
    ]
)
_PLIER = f"""
WITH pris AS (%s)
INSERT INTO signalements_effectif ({_CELLULE}, plie, nombre, resolus, secondes)
SELECT {_CELLULE}, TRUE, SUM(nombre), SUM(resolus), SUM(secondes) FROM ({_ETALEES}) AS lignes GROUP BY {_CELLULE}
ON CONFLICT ({_CELLULE}) WHERE plie DO UPDATE SET
    nombre = signalements_effectif.nombre + EXCLUDED.nombre,
    resolus = signalements_effectif.resolus + EXCLUDED.resolus,
    secondes = signalements_effectif.secondes + EXCLUDED.secondes
"""  # noqa: S608 -- names of columns
_VERROU = 5_318_008  # advisory lock key: any number, of this fold alone


@chaque_minute("Effectifs pliés")
def plier() -> None:
    """Fold the delta rows into one a cell, batch by batch; stop where another process holds the advisory lock."""
    plies = False
    while Effectif.objects.filter(plie=False).exists() and _plier_un_lot():
        plies = True
    if plies:
        Effectif.objects.filter(plie=True, nombre=0, resolus=0, secondes=0).delete()


@transaction.atomic
def _plier_un_lot() -> bool:
    with connection.cursor() as curseur:
        if connection.vendor != "postgresql":
            curseur.execute(_PLIER % f"{_LIRE} IN ({_A_PLIER})")
            curseur.execute(f"{_RETIRER} IN ({_A_PLIER})")
            return True
        curseur.execute("SELECT pg_try_advisory_xact_lock(%s)", [_VERROU])
        (est_libre,) = curseur.fetchone()
        if est_libre:
            # One statement, one snapshot: rows committed meanwhile are neither summed nor removed.
            # An array and not IN: who believes the table empty would compare each row with each of the batch.
            curseur.execute(_PLIER % f"{_RETIRER} = ANY(ARRAY({_A_PLIER})) RETURNING *")
        return bool(est_libre)


def ecarts() -> Compteurs:
    """Recount every report; return true count minus counters, by cell, empty when all is well.

    Both are read in one snapshot, so that a difference stays true whatever is written meanwhile.
    """
    with un_instant():
        lignes = Signalement.objects.vivants().order_by().values_list(*COMPTEES, named=True)
        vrai = additionner(une for une in lignes.iterator(chunk_size=LOT) if une.ouvert_a == Ouverture.TOUS)
        tenu = {Cellule(*cle): mesures for cle, mesures in lire(*Cellule._fields).items()}
    return _difference(vrai, _etalees(tenu))


def recompter() -> Compteurs:
    """Append the difference that `ecarts` finds to the counters; return it."""
    manque = ecarts()
    _ajouter(manque)
    return manque


def lire(*par: str, **filtres: Any) -> Sommes:
    """Sum the measures of the filtered cells, grouped by these columns: {their values: measures}."""
    return sommes(effectifs(par, **filtres).lignes())


def sommes(lignes: Iterable[Any]) -> Sommes:
    """{values of the columns: measures} from the rows of `effectifs`."""
    return {ligne[:-3]: Mesures._make(ligne[-3:]) for ligne in lignes}


def total(**filtres: Any) -> Mesures:
    """Sum the measures of the filtered cells."""
    return reunies(lire("axe", **filtres))


def reunies(sommes: Sommes) -> Mesures:
    """The measures of all values, together."""
    return functools.reduce(Mesures.plus, sommes.values(), Mesures())


def total_pour(acteur: Acteur, *, axe: Axe, **filtres: Any) -> Mesures:
    """The same for one person of the team: with the reserved reports that they may read."""
    reserves = Reserves(acteur).sommes(axe, (), **filtres).get((), Mesures())
    return total(axe=axe, **filtres).plus(reserves)


def _mesures(ligne: Any) -> Mesures:
    if ligne.date_resolution is None:
        return Mesures(1)
    return Mesures(1, 1, max(int((ligne.date_resolution - ligne.date_creation).total_seconds()), 0))


def _jour(moment: datetime) -> date:
    """The date of this moment in the campus time zone."""
    return moment.astimezone(settings.TIME_ZONE_CAMPUS).date()
