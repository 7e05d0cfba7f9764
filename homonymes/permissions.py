from typing import Any
from uuid import UUID

from homonymes.lectures import connus_de
from homonymes.models import Homonyme
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable


def a_decider(acteur: Acteur) -> Any:
    """Names that wait for a decision of this administrator, the first to be decided first."""
    return connus_de(acteur).en_attente().filter(compte__date_effacement__isnull=True)


def homonyme_connu(acteur: Acteur, pk: UUID | str) -> Homonyme:
    """The only door to one; 404, as for one that never was, to whom the case names or hides itself from."""
    homonyme: Homonyme | None = connus_de(acteur).filter(pk=pk).first()
    if homonyme is None:
        raise Introuvable
    return homonyme
