"""The reads of posts that pages and doors ask for, prepared."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from forum.models import Poste
from forum.vocabulaire import Statut
from socle.domaine.acteurs import Acteur
from socle.moteur.lectures import preparee


@preparee
def visible(acteur: Acteur, pk: UUID | str) -> QuerySet[Any]:
    return Poste.objects.pour_lecture().visibles_par(acteur).filter(pk=pk)


@preparee
def visibles(acteur: Acteur) -> QuerySet[Any]:
    return Poste.objects.pour_lecture().visibles_par(acteur)


@preparee
def a_moderer() -> QuerySet[Any]:
    return Poste.objects.presents().filter(statut=Statut.NOUVEAU)


@preparee
def approuves() -> QuerySet[Any]:
    return Poste.objects.pour_lecture().approuves()
