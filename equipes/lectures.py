from collections.abc import Callable, Mapping
from uuid import UUID

from equipes.models import Equipe, MembreDEquipe
from socle.domaine.memoire import Memoire
from socle.domaine.registre import Registre
from socle.realtime.vocabulaire import d_equipe

# Asked of the rooms above: True where the team of this key has had some case.
dossiers_d_equipe: Registre[Callable[[UUID], bool]] = Registre("dossiers d'une équipe", attendus=["signalements"])

# The word for a type of case, which is of the rooms above as well.
types_dits: Registre[Callable[[str], str]] = Registre("mot d'un type de dossier", attendus=["signalements"])

# Names of all teams by their keys, none where nobody has defined one: for pages.
noms_des_equipes: Memoire[dict[UUID, str]] = Memoire(lambda: dict(Equipe.objects.order_by().values_list("pk", "nom")))


def audiences_d_equipes(comptes: set[UUID]) -> Mapping[UUID, list[str]]:
    """Audiences of the teams whose cases each of these accounts reads, in one order; none for most."""
    lus = MembreDEquipe.objects.qui_lisent().filter(compte__in=comptes).order_by("equipe")
    audiences: dict[UUID, list[str]] = {}
    for compte, equipe in lus.values_list("compte", "equipe"):
        audiences.setdefault(compte, []).append(d_equipe(equipe))
    return audiences
