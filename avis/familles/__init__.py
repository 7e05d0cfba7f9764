from avis.familles.auteur import Auteur
from avis.familles.base import Famille
from avis.familles.campus import Evenements, Publications
from avis.familles.equipe import Equipe
from avis.models import Avis

EQUIPE, AUTEUR = Equipe(), Auteur()
# Those that leave at the pace of `Cadence.prochain`.
TOUTES: tuple[Famille, ...] = (EQUIPE, Evenements(), Publications())
_DE_LA_NATURE = {nature: famille for famille in (AUTEUR, *TOUTES) for nature in famille.natures}


def famille_de(ligne: Avis) -> Famille:
    """The only one that tells things of this nature."""
    return _DE_LA_NATURE[ligne.nature]


def familles_nommees(nom: str) -> list[Famille]:
    """The families that a link stops; "" is the team's and the authors', whose mails nothing may tell apart."""
    return [famille for famille in (AUTEUR, *TOUTES) if famille.nom == nom]
