"""The delays that give new cases their dates, and the days of closure that move them."""

from datetime import date
from typing import NamedTuple

from echeances.models import ChoixDesDates, Delai, JourFerme
from socle.domaine.memoire import Memoire


class EnVigueur(NamedTuple):
    """Answer of an administrator and, after a yes, the active delays and the days of closure.

    `a_reprendre` while the cases that were open then are given their dates: that begins long after every process knows.
    """

    delais: tuple[Delai, ...] = ()
    fermes: frozenset[date] = frozenset()
    est_voulu: bool = False
    a_reprendre: bool = False

    def pour(self, type_: str) -> list[Delai]:
        """List those of a case of this type: of two of one nature and name, the one of the type alone."""
        par_nom = {(delai.nature, delai.libelle): delai for delai in self.delais if delai.type in ("", type_)}
        return list(par_nom.values())


def lire() -> EnVigueur:
    """As the base says now."""
    oui = ChoixDesDates.objects.filter(accepte=True).first()
    if oui is None:
        return EnVigueur()
    fermes = frozenset(JourFerme.objects.values_list("jour", flat=True))
    return EnVigueur(tuple(Delai.objects.actifs()), fermes, True, not oui.est_repris)


en_vigueur = Memoire(lire)
