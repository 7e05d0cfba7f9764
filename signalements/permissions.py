from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q

from config.domaine.acteurs import Acteur
from config.domaine.erreurs import AccesRefuse, Introuvable
from resources.lecteurs import lecteurs
from signalements.erreurs import SonPropreDossier
from signalements.models import Signalement
from signalements.vocabulaire import PIECE_DE_SIGNALEMENT


def signalement_accessible(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The only door to a report for a reader: returns it, or the case it was joined to, or says why not."""
    lisibles = Signalement.objects.pour_lecture(acteur).visibles_par(acteur)
    if signalement := lisibles.menant_a(pk).first():
        return signalement
    if not Signalement.objects.filter(pk=pk).exists():
        raise Introuvable
    raise AccesRefuse.pour(acteur)


def signalement_a_traiter(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door for who handles a report: nobody of the team handles their own."""
    signalement = signalement_accessible(acteur, pk)
    if acteur.possede(signalement):
        raise SonPropreDossier
    return signalement


def signalement_par_reference(acteur: Acteur, reference: str) -> Signalement:
    """Among the actor's own: an unknown reference and somebody else's are the same 404."""
    siens = Signalement.objects.pour_lecture(acteur).de(acteur)
    if signalement := siens.filter(reference=reference.upper()).first():
        return signalement
    raise Introuvable


@lecteurs(PIECE_DE_SIGNALEMENT)
def signalements_lisibles(acteur: Acteur, ids: Iterable[UUID]) -> Any:
    """Those of these, or the cases they were joined to, whose files the actor may read."""
    visibles = Signalement.objects.visibles_par(acteur)
    return visibles.filter(Q(pk__in=ids) | Q(pk__in=Signalement.objects.filter(pk__in=ids).values("absorbe_par")))
