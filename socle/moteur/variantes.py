"""Variants of a prepared read: all its rows, one, a page, a number of them, a sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import models

from socle.moteur.conditions import Place


class Tranche(NamedTuple):
    """Variant of a read: so many rows, from an offset on where `decalee`."""

    taille: int
    decalee: bool = False


class Somme(NamedTuple):
    """Variant of a read of one column: the sum of its first so many values, or of all, as one row."""

    taille: int | None


@dataclass(frozen=True)
class Nombre:
    """Variant of a read: how many rows there are; counting stops at `plafond`, in the order of the rows.

    Without the order PostgreSQL reads the table from its start, expecting enough rows soon: recent ones are at its end.
    No tuple: one would equal a Somme of the same number, and take its plan.
    """

    plafond: int | None = None


Variante = Tranche | Somme | Nombre | str
TOUT, UNE = "tout", "une"
# Of a read of sums by columns of text: the sums by each of these columns alone, the others NULL.
CHACUNE = "chacune"
NOMBRE = Nombre()
DEBUT = Place("début d'une tranche", models.BigIntegerField())
_DEBUT_FICTIF = 4_611_686_018_427_387_903  # stands for DEBUT where Django writes a number out


def tranche_de(lignes: Any, debut: int, taille: int) -> Any:
    """Slice a queryset; an offset walks the keys alone, by the index: skipped rows are neither joined nor annotated."""
    if not debut or lignes.query.group_by:
        return lignes[debut : debut + taille]
    return lignes.filter(pk__in=lignes.values("pk")[debut : debut + taille])


def est_une_lecture(variante: Variante) -> bool:
    """True where rows are answered, False for one number."""
    return not isinstance(variante, Somme | Nombre)


def se_reunit(variante: Variante) -> bool:
    """True for a number that may be read in one statement with others.

    Not the sum of all rows of a span of days: PostgreSQL plans it for its days each time, and would the others with it.
    """
    return isinstance(variante, Nombre) or (isinstance(variante, Somme) and variante.taille is not None)


def varier(lignes: Any, variante: Variante) -> Any:
    if isinstance(variante, Tranche):
        return _trancher(lignes, variante)
    if isinstance(variante, Somme):
        return lignes[: variante.taille]
    if variante in (TOUT, CHACUNE):
        return lignes
    if isinstance(variante, Nombre):
        comptees = lignes.order_by() if variante.plafond is None else lignes
        comptees = comptees if lignes.query.group_by else comptees.values_list("pk", flat=True)
        return comptees[: variante.plafond]
    return (lignes if lignes.ordered else lignes.order_by("pk"))[:1]


def _trancher(lignes: Any, tranche: Tranche) -> Any:
    return tranche_de(lignes, _DEBUT_FICTIF if tranche.decalee else 0, tranche.taille)


def colonne_sommee(query: Any) -> str:
    """The one column that a query reads."""
    (colonne,) = query.selected
    return str(colonne)


def groupees_et_sommees(query: Any) -> tuple[list[str], list[str]]:
    """The columns that a query groups by, and those that it sums, by the names that it reads them under."""
    groupees = [nom for nom in query.selected if nom not in query.annotations]
    return groupees, [nom for nom in query.selected if nom in query.annotations]


def completer(texte: str, query: Any, variante: Variante, *, postgresql: bool) -> str:
    """The statement of a variant, around that of its rows."""
    if isinstance(variante, Nombre):
        return f"SELECT COUNT(*) FROM ({texte}) lignes"  # noqa: S608 -- Django wrote it
    if isinstance(variante, Somme):
        # As a whole number: PostgreSQL sums these into a decimal.
        return f'SELECT CAST(COALESCE(SUM("{colonne_sommee(query)}"), 0) AS bigint) FROM ({texte}) lignes'  # noqa: S608
    return _par_chacune(texte, query, postgresql=postgresql) if variante == CHACUNE else texte


def _par_chacune(texte: str, query: Any, *, postgresql: bool) -> str:
    """The table is read once, and summed by each column: by PostgreSQL itself, where the groups are its last words.

    Elsewhere its groups by all columns together are summed again by each.
    """
    groupees, sommees = groupees_et_sommees(query)
    rangs = range(1, len(groupees) + 1)
    avant, groupes, rien = texte.rpartition(f" GROUP BY {', '.join(map(str, rangs))}")
    if postgresql and groupes and not rien:
        return f"{avant} GROUP BY GROUPING SETS ({', '.join(f'({rang})' for rang in rangs)})"
    sommes = ", ".join(f'CAST(SUM("{nom}") AS bigint)' for nom in sommees)
    parties = []
    for groupee in groupees:
        colonnes = ", ".join(f'"{nom}"' if nom == groupee else "NULL" for nom in groupees)
        parties.append(f'SELECT {colonnes}, {sommes} FROM lignes GROUP BY "{groupee}"')  # noqa: S608 -- names of columns
    return f"WITH lignes AS ({texte}) {' UNION ALL '.join(parties)}"


def marquer_le_debut(texte: str, parametres: Sequence[Any]) -> tuple[str, list[Any]]:
    """Make a parameter of the offset, which Django writes into the statement."""
    avant, trouve, apres = texte.partition(f"OFFSET {_DEBUT_FICTIF}")
    if not trouve:
        return texte, list(parametres)
    rang = avant.replace("%%", "").count("%s")
    return f"{avant}OFFSET %s{apres}", [*parametres[:rang], DEBUT, *parametres[rang:]]
