from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from resources.erreurs import RessourceSansFichier
from resources.models import Attache, Fichier, Ressource
from resources.services.fichiers import recevoir
from resources.vocabulaire import DOCUMENT, IMAGES, RESSOURCE, Portee
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import PermissionRefusee
from socle.idempotence.creation import creation


def televerser_ressource(
    *, acteur: Acteur, envoye: Any, titre: str = "", description: str = "", categorie: str = DOCUMENT
) -> Ressource:
    """Receive a file of a listed type and add it as a resource; pictures are cleaned, the rest is kept as it came."""

    def partager(fichier: Fichier) -> Ressource:
        return ajouter(
            acteur=acteur, titre=titre or fichier.nom, description=description, categorie=categorie, file_id=fichier.pk
        )

    return recevoir(acteur=acteur, envoye=envoye, faire=partager, admis=settings.RESOURCE_MIME_TYPES, nettoyes=IMAGES)


@creation
def ajouter(
    *, acteur: Acteur, titre: str, file_id: UUID | None = None, categorie: str = DOCUMENT, **champs: Any
) -> Ressource:
    """Insert a resource; name, type and size come from a file of one's own, without one from the caller."""
    ressource = Ressource(titre=titre, categorie=categorie, cree_par=_compte(acteur), **champs)
    if file_id is not None:
        ressource.reprendre(_fichier_a_partager(acteur, file_id))
    ressource.indexer()
    ressource.save(force_insert=True)
    _attacher(ressource)
    _consigner(ressource, acteur, "AJOUTEE")
    return ressource


@transaction.atomic
def supprimer(*, ressource: Ressource, acteur: Acteur | None = None) -> None:
    """Soft-delete it and detach its file, which its owner may then delete; idempotent."""
    ressource.verrouiller()
    if not ressource.est_supprimee:
        ressource.date_suppression = timezone.now()
        ressource.enregistrer("date_suppression")
        Attache.objects.filter(fichier=ressource.fichier_id, sorte=RESSOURCE, objet=ressource.pk).delete()
        _consigner(ressource, acteur, "SUPPRIMEE")


@transaction.atomic
def retablir(*, ressource: Ressource, acteur: Acteur | None = None) -> None:
    """Undo a soft deletion; a file deleted since is missing for good, one kept as evidence must come first (409)."""
    ressource.verrouiller()
    if ressource.est_supprimee:
        if Fichier.objects.supprimes().filter(pk=ressource.fichier_id).exists():
            raise RessourceSansFichier
        ressource.date_suppression = None
        ressource.enregistrer("date_suppression")
        _attacher(ressource)
        _consigner(ressource, acteur, "RETABLIE")


def _consigner(ressource: Ressource, acteur: Acteur | None, quoi: str) -> None:
    """Into the register, of the team alone: what people do with what they added is theirs; None is nobody."""
    if acteur is not None and acteur.peut(Droit.RESSOURCES_SUPPRIMER_TOUTES):
        consigner(Acte.RESSOURCE_CHANGEE, par=acteur, objet=ressource.pk, sorte=Sorte.RESSOURCE, quoi=quoi)


def _attacher(ressource: Ressource) -> None:
    if ressource.fichier_id is not None:
        Attache.objects.create(fichier_id=ressource.fichier_id, sorte=RESSOURCE, objet=ressource.pk)


def _fichier_a_partager(acteur: Acteur, pk: UUID) -> Fichier:
    """Lock one's own file and open its reach; 403 for another's, which sharing would open to all, or an unknown one."""
    siens = Fichier.objects.de(acteur).presents().select_for_update(no_key=True)
    fichier = siens.filter(pk=pk).first()
    if fichier is None:
        raise PermissionRefusee
    fichier.destiner(Portee.OUVERTE)
    fichier.save(update_fields=["portee", "recherche"])
    return fichier


def _compte(acteur: Acteur) -> Compte:
    assert acteur.compte is not None, "une ressource est ajoutée par un compte"  # noqa: S101 -- the routes take no guest
    return acteur.compte
