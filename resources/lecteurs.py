"""Seams, by kind of object that files are attached to, which each app with attachments fills."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from resources.models import Attache, Ressource
from resources.querysets import JOINT
from resources.vocabulaire import RESSOURCE
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.registre import Registre

# The kind of an object -> (acteur, ids) -> those objects of these ids that the actor may read, as a queryset.
lecteurs: Registre[Callable[[Acteur, Iterable[UUID]], Any]] = Registre("lecteurs des pièces")
# The kind of an object -> (ids) -> the ids of the cases whose evidence its files are, if any.
dossiers_de: Registre[Callable[[Iterable[UUID]], Iterable[UUID]]] = Registre("dossiers des pièces", comme=lecteurs)
# The kind of an object -> (acteur) -> those that are closed to this person of the team, as a queryset to be asked of
# one object at a time: they may be many.
fermes: Registre[Callable[[Acteur], Any]] = Registre("objets fermés à qui est de l'équipe")
# "tenir" -> (ids of cases, acteur) -> these cases, locked; 409 where one is the actor's own.
# "noter" -> (cases, acteur, nom, supprimee) -> None: tells their history that a file of this name went, or came back.
# "geles" -> (ids of cases) -> whether one of them is held, now that they are locked.
historique: Registre[Callable[..., Any]] = Registre("historique des dossiers", attendus=["tenir", "noter", "geles"])
# The kind of an object -> (acteur) -> those of cases that this administrator has opened for a reason.
ouverts_sur_motif: Registre[Callable[[Acteur], Any]] = Registre("objets ouverts sur un motif")


def lisibles_en_equipe(fichiers: Any, acteur: Acteur) -> Any:
    """Filter the files that somebody of the team may read: their own, and those joined to what is not closed to them.

    Until it is joined a file is its sender's alone: nobody knows yet who is shut out of what it will be joined to. One
    query, whatever the answer: a closed file is not told from an unknown one.
    """
    fermees = Q(pk__in=[])
    for sorte, caches in fermes.items():
        fermees |= Q(Exists(caches(acteur).filter(pk=OuterRef("objet"))), sorte=sorte)
    attaches = Attache.objects.filter(fichier=OuterRef("pk")).order_by()
    ouverts = ~Exists(attaches.filter(fermees)) | Exists(attaches.exclude(fermees))
    return fichiers.filter(JOINT & ouverts | Q(compte=acteur.compte))


def d_un_dossier_ouvert(fichiers: Any, acteur: Acteur) -> Any:
    """Filter to the evidence of cases that this administrator has opened for a reason."""
    siennes = Q(pk__in=[])
    for sorte, ouverts in ouverts_sur_motif.items():
        siennes |= Q(Exists(ouverts(acteur).filter(pk=OuterRef("objet"))), sorte=sorte)
    return fichiers.filter(Exists(Attache.objects.filter(siennes, fichier=OuterRef("pk")).order_by()))


@lecteurs(RESSOURCE)
def ressources_lisibles(acteur: Acteur, ids: Iterable[UUID]) -> Any:
    vivantes = Ressource.objects.vivantes()
    return vivantes.filter(pk__in=ids) if acteur.peut(Droit.RESSOURCES_CONSULTER) else vivantes.none()


@dossiers_de(RESSOURCE)
def aucun_dossier(ids: Iterable[UUID]) -> Iterable[UUID]:
    return []
