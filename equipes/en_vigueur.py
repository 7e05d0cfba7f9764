"""The rules that new cases follow, read again every few seconds: nearly every case asks them."""

from typing import NamedTuple

from equipes.models import Equipe, RegleDeRoutage
from socle.domaine.memoire import Memoire

regles_actives: Memoire[list[RegleDeRoutage]] = Memoire(
    lambda: list(RegleDeRoutage.objects.en_ordre().filter(active=True, equipe__active=True))
)


def regle_pour(type_: str, bureau: str) -> RegleDeRoutage | None:
    """Find the rule that a new case of this type, for this office, follows; None: all of the staff reads it."""
    return next((regle for regle in regles_actives() if regle.convient_a(type_, bureau)), None)


def equipe_qui_lira(type_: str) -> Equipe | None:
    """The team that alone would read a new case of this type, written where no office is named; None: all do."""
    regle = regle_pour(type_, "")
    return None if regle is None else regle.equipe


class Essai(NamedTuple):
    """The rule that an example would follow, and all that suit it, active or not."""

    suivie: RegleDeRoutage | None
    conviennent: list[RegleDeRoutage]


def essayer(type_: str, bureau: str) -> Essai:
    """Ask the rules as they are now about a case that is not."""
    conviennent = [regle for regle in RegleDeRoutage.objects.en_ordre() if regle.convient_a(type_, bureau)]
    suivies = (regle for regle in conviennent if regle.active and regle.equipe.active)
    return Essai(next(suivies, None), conviennent)
