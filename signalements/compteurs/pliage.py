"""Upkeep of the counters: the delta rows of a cell folded into one, every minute.

A reading sums a cell's rows, folded or not: it is exact at any time.
"""

from django.db import connection, transaction

from signalements.compteurs.cellules import Cellule
from signalements.models import Effectif
from signalements.vocabulaire import AU_MOIS, ETALEES, Axe
from socle.taches.entretien import chaque_minute

_CELLULE = ", ".join(Cellule._fields)


def _etalee(changes: Axe, axe: Axe, regard: tuple[str, ...]) -> str:
    """The rows of changes among `pris`, as those of one axis."""
    vide, lus = Cellule(axe), {nom: nom for nom in regard}
    if axe in AU_MOIS:
        lus["jour"] = "%(mois)s"
    colonnes = [lus.get(nom, f"'{getattr(vide, nom)}'") for nom in Cellule._fields]
    return f"SELECT {', '.join(colonnes)}, nombre, resolus, secondes FROM pris WHERE axe = '{changes}'"  # noqa: S608


_MOIS = {"postgresql": "DATE_TRUNC('month', jour)::date", "sqlite": "DATE(jour, 'start of month')"}
_CHANGES = ", ".join(f"'{axe}'" for axe in ETALEES)
# One batch, small enough for the statement timeout.
_A_PLIER = "SELECT id FROM signalements_effectif WHERE NOT plie ORDER BY id LIMIT 50000"
_LIRE = "SELECT * FROM signalements_effectif WHERE id"
_RETIRER = "DELETE FROM signalements_effectif WHERE id"
_ETALEES = " UNION ALL ".join(
    [
        f"SELECT {_CELLULE}, nombre, resolus, secondes FROM pris WHERE axe NOT IN ({_CHANGES})",  # noqa: S608
        *(_etalee(changes, axe, regard) for changes, regards in ETALEES.items() for axe, regard in regards.items()),
    ]
)
_PLIER = f"""
WITH pris AS (%(pris)s)
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
    mois = _MOIS[connection.vendor]
    with connection.cursor() as curseur:
        if connection.vendor != "postgresql":
            curseur.execute(_PLIER % {"pris": f"{_LIRE} IN ({_A_PLIER})", "mois": mois})
            curseur.execute(f"{_RETIRER} IN ({_A_PLIER})")
            return True
        curseur.execute("SELECT pg_try_advisory_xact_lock(%s)", [_VERROU])
        (est_libre,) = curseur.fetchone()
        if est_libre:
            # One statement, one snapshot: rows committed meanwhile are neither summed nor removed.
            # An array and not IN: who believes the table empty would compare each row with each of the batch.
            pris = f"{_RETIRER} = ANY(ARRAY({_A_PLIER})) RETURNING *"
            curseur.execute(_PLIER % {"pris": pris, "mois": mois})
        return bool(est_libre)
