from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef

from accounts.journal import cites, lignes_tues
from resources.erreurs import TropEnvoye
from resources.lecteurs import d_un_dossier_ouvert, dossiers_de, fermes, lecteurs, lisibles_en_equipe
from resources.models import Attache, Fichier, Ressource
from socle.audit.registre import consulter, montrer
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.limites import reserver
from socle.erreurs import AccesRefuse, Introuvable, PermissionRefusee


def fichier_accessible(acteur: Acteur, pk: UUID | str) -> Fichier:
    """The only door to a file, else 404 or 403: its owner, staff, and the readers of an object it is attached to.

    To staff one that is attached to nothing yet, or to cases closed to them alone, is the 404 of one that never was.
    """
    en_equipe = acteur.peut(Droit.FICHIERS_CONSULTER_TOUS)
    fichier = _present(acteur, pk, en_equipe=en_equipe, motivee=True)
    if acteur.possede(fichier):
        return fichier
    attaches = _attaches(fichier)
    if en_equipe:
        _noter_l_ouverture(fichier, _cas(attaches), acteur)
        return fichier
    if _lu_par_ailleurs(attaches, acteur):
        return fichier
    raise AccesRefuse.pour(acteur)


def fichier_a_supprimer(acteur: Acteur, pk: UUID | str) -> Fichier:
    """The door to delete a file, else 404 or 403: its owner, or an administrator who may read it.

    Staff are told by neither that a file they may not read is there.
    """
    supprime_tout = acteur.peut(Droit.FICHIERS_SUPPRIMER_TOUS)
    fichier = _present(acteur, pk, en_equipe=supprime_tout or acteur.peut(Droit.FICHIERS_CONSULTER_TOUS))
    if acteur.possede(fichier) or supprime_tout:
        return fichier
    raise PermissionRefusee


def _present(acteur: Acteur, pk: UUID | str, *, en_equipe: bool, motivee: bool = False) -> Fichier:
    """The file of this id, of those that the team may read `en_equipe`; 404, in one query whatever the reason.

    `motivee`: in two for an administrator, who may have opened a case for a reason.
    """
    presents = Fichier.objects.presents().filter(pk=pk)
    fichier: Fichier | None = (lisibles_en_equipe(presents, acteur) if en_equipe else presents).first()
    if fichier is None and motivee:
        fichier = d_un_dossier_ouvert(presents, acteur).first()
    if fichier is None:
        raise Introuvable
    return fichier


def part_de_l_adresse(acteur: Acteur, adresse: str, octets: int) -> AbstractContextManager[None]:
    """Rate limit in bytes a day, shared by the guests of one address, however many sessions they open."""
    if not acteur.est_invite:
        return nullcontext()
    return reserver("guest_upload_bytes", adresse, pas=octets, taux=settings.GUEST_UPLOADS, refus=TropEnvoye)


def peut_ajouter(acteur: Acteur) -> bool:
    """True for who may add to the library, which RESOURCES_STAFF_ONLY keeps to the team."""
    return acteur.peut(Droit.RESSOURCES_AJOUTER_TOUJOURS if settings.RESOURCES_STAFF_ONLY else Droit.RESSOURCES_AJOUTER)


def exiger_d_ajouter(acteur: Acteur) -> None:
    if not peut_ajouter(acteur):
        raise PermissionRefusee


def ressource_accessible(pk: UUID | str) -> Ressource:
    if ressource := Ressource.objects.pour_lecture().filter(pk=pk).first():
        return ressource
    raise Introuvable


def ressource_a_supprimer(acteur: Acteur, pk: UUID | str) -> Ressource:
    """The door to delete a resource, else 404 or 403: who added it, or staff."""
    ressource = ressource_accessible(pk)
    if peut_supprimer(acteur, ressource):
        return ressource
    raise PermissionRefusee


def peut_supprimer(acteur: Acteur, ressource: Ressource) -> bool:
    return ressource.possede_par(acteur.compte) or acteur.peut(Droit.RESSOURCES_SUPPRIMER_TOUTES)


@lignes_tues("pièces de dossiers fermés")
def pieces_fermees(acteur: Acteur) -> Iterator[UUID]:
    citees = Attache.objects.filter(fichier__in=map(UUID, cites(Fichier)))
    for sorte, caches in fermes.items():
        ferme = Exists(caches(acteur).filter(pk=OuterRef("objet")))
        yield from citees.filter(ferme, sorte=sorte).values_list("fichier", flat=True)


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


def noter_la_page(acteur: Acteur, fichier: Fichier) -> None:
    """Into the register: its page in the admin site, a deleted one's too, says its name and what it is joined to."""
    if not acteur.possede(fichier):
        _noter_l_ouverture(fichier, _cas(_attaches(fichier)), acteur)


def noter_la_liste(acteur: Acteur, fichiers: Iterable[Fichier], criteres: Mapping[str, str]) -> None:
    """Into the register: the cases some of whose evidence this list names, and by which criteria; `attaches` is read.

    In as many queries as there are kinds of attachment.
    """
    par_sorte: dict[str, list[UUID]] = defaultdict(list)
    for attache in (une for un in fichiers if not acteur.possede(un) for une in un.attaches.all()):
        par_sorte[attache.sorte].append(attache.objet)
    cas = sorted(_cas(par_sorte))
    seul = cas[0] if len(cas) == 1 else None  # what finds one case alone may name it: hidden from whom it is
    montrer(acteur, cas, criteres, sur=seul, actes=(Acte.FICHIERS_CHERCHES, Acte.FICHIER_MONTRE))


def _noter_l_ouverture(fichier: Fichier, cas: set[UUID], acteur: Acteur) -> None:
    """Into the register, under each case whose evidence the file is, else under its own id."""
    for objet in sorted(cas):
        consulter(acteur, Acte.FICHIER_OUVERT, objet, fichier=fichier.pk)
    if not cas:
        consulter(acteur, Acte.FICHIER_OUVERT, fichier.pk, Sorte.FICHIER)
