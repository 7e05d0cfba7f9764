"""Seam: the browsers that are open on somebody's cases, which the app of their pages knows."""

from collections.abc import Callable
from typing import Any

from socle.domaine.acteurs import Acteur
from socle.domaine.registre import Registre

# "ouverts" -> (acteur) -> one dictionary for each open browser, as an export writes it.
navigateurs: Registre[Callable[[Acteur], list[dict[str, Any]]]] = Registre(
    "navigateurs d'une personne", attendus=["ouverts"]
)
