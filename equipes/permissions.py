from typing import Any
from uuid import UUID

from equipes.models import Equipe, RegleDeRoutage
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import Introuvable, PermissionRefusee


def equipe_connue(acteur: Acteur, pk: UUID | str) -> Equipe:
    """The only door to one team, whose name and purpose all of the staff may read; 404."""
    equipe: Equipe | None = Equipe.objects.pour_lecture(acteur).filter(pk=pk).first()
    if equipe is None:
        raise Introuvable
    return equipe


def membres_lisibles(acteur: Acteur, pk: UUID | str) -> Any:
    """Members of a team, by name: for who reads its cases, or runs it; 403 for others of the staff."""
    equipe = equipe_connue(acteur, pk)
    if not (equipe.membre or acteur.peut(Droit.EQUIPES_GERER)):
        raise PermissionRefusee
    return equipe.membres.select_related("compte", "par").order_by("compte__nom", "compte__prenom", "compte")


def regle_connue(pk: UUID | str) -> RegleDeRoutage:
    """The only door to one routing rule; 404."""
    regle: RegleDeRoutage | None = RegleDeRoutage.objects.en_ordre().filter(pk=pk).first()
    if regle is None:
        raise Introuvable
    return regle
