from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from uuid import UUID

from django.conf import settings

from accounts.journal import cites, lignes_tues
from resources.erreurs import TropEnvoye
from resources.lecteurs import dossiers_de, fermes, lecteurs
from resources.models import Attache, Fichier, Ressource
from socle.audit.registre import consulter
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.erreurs import AccesRefuse, Introuvable, PermissionRefusee
from socle.domaine.limites import reserver


def fichier_accessible(acteur: Acteur, pk: UUID | str) -> Fichier:
    """The only door to a file, else 404 or 403: its owner, staff, and the readers of an object it is attached to."""
    fichier = Fichier.objects.presents().filter(pk=pk).first()
    if fichier is None:
        raise Introuvable
    if acteur.possede(fichier):
        return fichier
    attaches = _attaches(fichier)
    if acteur.peut(Droit.FICHIERS_CONSULTER_TOUS):
        cas = _cas(attaches)
        if cas and not _lu_par_ailleurs(attaches, acteur):
            raise Introuvable  # of cases that are closed to this reader, each of them
        _noter_l_ouverture(fichier, cas, acteur)
        return fichier
    if _lu_par_ailleurs(attaches, acteur):
        return fichier
    raise AccesRefuse.pour(acteur)


def fichier_a_supprimer(acteur: Acteur, pk: UUID | str) -> Fichier:
    """The door to delete a file, else 404 or 403: its owner, or an administrator."""
    fichier = Fichier.objects.presents().filter(pk=pk).first()
    if fichier is None:
        raise Introuvable
    if acteur.possede(fichier):
        return fichier
    if not acteur.peut(Droit.FICHIERS_SUPPRIMER_TOUS):
        raise PermissionRefusee
    attaches = _attaches(fichier)
    if _cas(attaches) and not _lu_par_ailleurs(attaches, acteur):
        raise Introuvable
    return fichier


def part_de_l_adresse(acteur: Acteur, adresse: str, octets: int) -> AbstractContextManager[None]:
    """Rate limit in bytes a day, shared by the guests of one address, however many sessions they open."""
    if not acteur.est_invite:
        return nullcontext()
    return reserver("guest_upload_bytes", adresse, pas=octets, taux=settings.GUEST_UPLOADS, refus=TropEnvoye)


def exiger_d_ajouter(acteur: Acteur) -> None:
    """403 where RESOURCES_STAFF_ONLY keeps the library to the team."""
    if settings.RESOURCES_STAFF_ONLY and not acteur.peut(Droit.RESSOURCES_AJOUTER_TOUJOURS):
        raise PermissionRefusee


def ressource_accessible(pk: UUID | str) -> Ressource:
    if ressource := Ressource.objects.pour_lecture().filter(pk=pk).first():
        return ressource
    raise Introuvable


def ressource_a_supprimer(acteur: Acteur, pk: UUID | str) -> Ressource:
    """The door to delete a resource, else 404 or 403: who added it, or staff."""
    ressource = ressource_accessible(pk)
    if ressource.possede_par(acteur.compte) or acteur.peut(Droit.RESSOURCES_SUPPRIMER_TOUTES):
        return ressource
    raise PermissionRefusee


@lignes_tues("pièces de dossiers fermés")
def pieces_fermees(acteur: Acteur) -> Iterator[UUID]:
    citees = Attache.objects.filter(fichier__in=map(UUID, cites(Fichier)))
    for sorte, caches in fermes.items():
        yield from citees.filter(sorte=sorte, objet__in=caches(acteur)).values_list("fichier", flat=True)


def _lu_par_ailleurs(attaches: dict[str, list[UUID]], acteur: Acteur) -> bool:
    return any(lecteurs[sorte](acteur, ids).exists() for sorte, ids in attaches.items())


def _attaches(fichier: Fichier) -> dict[str, list[UUID]]:
    """The ids of what it is attached to, by kind."""
    par_sorte: dict[str, list[UUID]] = defaultdict(list)
    for sorte, objet in fichier.attaches.values_list("sorte", "objet"):
        par_sorte[sorte].append(objet)
    return par_sorte


def _cas(attaches: dict[str, list[UUID]]) -> set[UUID]:
    """The cases whose evidence it is."""
    return {cle for sorte, ids in attaches.items() for cle in dossiers_de[sorte](ids)}


def _noter_l_ouverture(fichier: Fichier, cas: set[UUID], acteur: Acteur) -> None:
    """Into the register, under each case whose evidence the file is, else under its own id."""
    for objet in sorted(cas):
        consulter(acteur, Acte.FICHIER_OUVERT, objet, fichier=fichier.pk)
    if not cas:
        consulter(acteur, Acte.FICHIER_OUVERT, fichier.pk, Sorte.FICHIER)
