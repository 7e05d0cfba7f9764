"""Migration operations shared by the apps."""

from collections.abc import Iterator
from typing import Any

from django.db import migrations

from socle.domaine.fige import indexable
from socle.moteur.delais import accorder

LOT = 500


class DesLInstallation(migrations.RunPython):
    """RunPython that a new base runs too, on the final models: what no model declares (an index by hand, a first row).

    `config/installation.py` skips every other RunPython: it rewrites rows, and a new base has none.
    """


def sans_limite_de_temps() -> migrations.RunPython:
    """Operation that lifts statement_timeout (15 s), first in a migration whose time grows with a table."""

    def lever(apps: Any, schema_editor: Any) -> None:
        accorder(0, schema_editor.connection)

    return migrations.RunPython(lever, lever, elidable=True)


def lots(lignes: Any) -> Iterator[list[Any]]:
    """Batches of all the rows in the order of their keys, each read when the one before it is done."""
    derniere = None
    while lot := list((lignes if derniere is None else lignes.filter(pk__gt=derniere)).order_by("pk")[:LOT]):
        yield lot
        derniere = lot[-1].pk


def reindexation(application: str, *modeles: str) -> migrations.RunPython:
    """Operation that folds again the search texts of these tables; for a migration without one transaction.

    From what is stored: the former folding has lost nothing that this one keeps.
    """

    def reindexer(apps: Any, schema_editor: Any) -> None:
        for modele in modeles:
            lignes = apps.get_model(application, modele)._base_manager
            for lot in lots(lignes.only("recherche")):
                changees = [ligne for ligne in lot if indexable(ligne.recherche) != ligne.recherche]
                for ligne in changees:
                    ligne.recherche = indexable(ligne.recherche)
                lignes.bulk_update(changees, ["recherche"])

    return migrations.RunPython(reindexer, migrations.RunPython.noop, elidable=True)
