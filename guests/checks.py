"""System check, at start, of what a merge must have been told of every table that it touches."""

from typing import Any

from django.core.checks import Error, register

from guests.fusion.colonnes_sans_regle import oubliees
from guests.fusion.verification import modeles_possedes
from socle.domaine.registre import ARRETENT


@register(ARRETENT)
def fusions_completes(app_configs: Any, **kwargs: Any) -> list[Any]:
    return [
        Error(
            f"Rien ne dit ce qu'une fusion fait de {colonne}.",
            hint="Dites dans le fusion.py de son application si elle est portée, recalculée ou gardée.",
            id="campus.E011",
        )
        for colonne in oubliees(modeles_possedes())
    ]
