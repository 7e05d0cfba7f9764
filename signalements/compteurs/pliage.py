"""Upkeep of the counters: the delta rows of a cell folded into one, every minute.

A reading sums a cell's rows, folded or not: it is exact at any time.
"""

from django.db import connection, transaction

from signalements.compteurs.cellules import Cellule
from signalements.models import Effectif
from signalements.vocabulaire import REGARDS, Axe
from socle.taches.entretien import chaque_minute

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
