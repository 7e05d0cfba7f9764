"""Seams, by kind of object that files are attached to, which each app with attachments fills."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from resources.models import Ressource
from resources.vocabulaire import RESSOURCE
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.registre import Registre

# The kind of an object -> (acteur, ids) -> those objects of these ids that the actor may read, as a queryset.
lecteurs: Registre[Callable[[Acteur, Iterable[UUID]], Any]] = Registre("lecteurs des pièces")
# The kind of an object -> (ids) -> the ids of the cases whose evidence its files are, if any.
dossiers_de: Registre[Callable[[Iterable[UUID]], Iterable[UUID]]] = Registre("dossiers des pièces", comme=lecteurs)
# The kind of an object -> (acteur) -> the ids of those that are closed to this person of the team, as a queryset.
fermes: Registre[Callable[[Acteur], Any]] = Registre("objets fermés à qui est de l'équipe")
# "tenir" -> (ids of cases, acteur) -> these cases, locked; 409 where one is the actor's own.
# "noter" -> (cases, acteur, nom, supprimee) -> None: tells their history that a file of this name went, or came back.
# "geles" -> (ids of cases) -> whether one of them is held, now that they are locked.
historique: Registre[Callable[..., Any]] = Registre("historique des dossiers", attendus=["tenir", "noter", "geles"])


@lecteurs(RESSOURCE)
def ressources_lisibles(acteur: Acteur, ids: Iterable[UUID]) -> Any:
    vivantes = Ressource.objects.vivantes()
    return vivantes.filter(pk__in=ids) if acteur.peut(Droit.RESSOURCES_CONSULTER) else vivantes.none()


@dossiers_de(RESSOURCE)
def aucun_dossier(ids: Iterable[UUID]) -> Iterable[UUID]:
    return []
