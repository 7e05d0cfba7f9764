from collections.abc import Collection, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from config.domaine.acteurs import Acteur
from config.domaine.erreurs import ChampsInvalides, Introuvable
from resources import stockage
from resources.antivirus import virus_dans
from resources.erreurs import FichierUtilise, QuotaDepasse, fichier_refuse
from resources.models import Attache, Fichier, Ressource
from resources.noms import nom_sur
from resources.preparation import Prepare, preparer
from resources.signals import virus_trouve
from resources.vocabulaire import EN_COURS


def televerser(*, acteur: Acteur, envoye: Any, admis: Collection[str] = (), nettoyes: Collection[str] = ()) -> Fichier:
    """Scan, clean, store, then record: what fails leaves neither row nor file.

    `admis` closes the list of types; `nettoyes` those that are cleaned, all that can be where it is empty.
    """
    stockage.exiger_de_la_place(envoye.size)
    _exiger_le_quota(acteur, envoye.size)
    chemin = Path(envoye.temporary_file_path())
    _exiger_sans_virus(chemin)
    with TemporaryDirectory(prefix=EN_COURS) as dossier, stockage.pannes_dites():
        prepare = preparer(chemin, Path(dossier) / "propre", admis=admis, nettoyes=nettoyes)
        with prepare.chemin.open("rb") as contenu:
            seau, cle = stockage.ranger(contenu)
        return _enregistrer_ou_effacer(acteur, envoye.name, prepare, seau=seau, cle=cle)


@transaction.atomic
def attacher(*, acteur: Acteur, fichiers: Iterable[UUID], sorte: str, objet: UUID) -> list[str]:
    """Use these files of the actor's own on this object, and answer their ids; 422 names each that is not theirs."""
    demandes = list(dict.fromkeys(fichiers))
    if not demandes:
        return []
    # Held, so that none of them is deleted at this moment.
    siens = Fichier.objects.de(acteur).select_for_update(no_key=True).order_by("pk").filter(pk__in=demandes)
    connus = set(siens.values_list("pk", flat=True))
    if inconnus := [rang for rang, pk in enumerate(demandes) if pk not in connus]:
        message = _("Ce fichier n'existe pas, ou n'est pas un des vôtres.")
        raise ChampsInvalides.pour("does_not_exist", **{f"piecesJointes.{rang}": message for rang in inconnus})
    Attache.objects.bulk_create(Attache(fichier_id=pk, sorte=sorte, objet=objet) for pk in demandes)
    return [str(pk) for pk in demandes]


@transaction.atomic
def supprimer(*, fichier: Fichier, acteur: Acteur) -> None:
    """409 for one that is in use, but to an administrator; the stored file goes after the commit."""
    if not Fichier.objects.select_for_update().filter(pk=fichier.pk).values_list("pk"):
        raise Introuvable  # somebody else has just done it
    utilise = fichier.attaches.exists()
    if utilise and not acteur.peut("fichiers.supprimer_tous"):
        raise FichierUtilise
    seau, cle = fichier.seau, fichier.cle
    oublier(fichier.pk)
    # What fails here leaves a file without a row, which sweep_files removes.
    transaction.on_commit(lambda: stockage.effacer(seau, cle), robust=True)


@transaction.atomic
def oublier(pk: UUID) -> None:
    """Remove the row, and from the library what it was; what it is attached to keeps its id, which leads nowhere."""
    Ressource.objects.vivantes().filter(fichier=pk).update(date_suppression=timezone.now())
    Fichier.objects.filter(pk=pk).delete()


def _exiger_le_quota(acteur: Acteur, octets: int) -> None:
    if Fichier.objects.de(acteur).octets() + octets > settings.FILE_QUOTA_OCTETS:
        raise QuotaDepasse(settings.FILE_QUOTA_OCTETS)


def _exiger_sans_virus(chemin: Path) -> None:
    with chemin.open("rb") as contenu:
        virus = virus_dans(contenu)
    if virus is not None:
        with transaction.atomic():
            virus_trouve.send(Fichier, virus=virus)
        raise fichier_refuse("virus", _("Ce fichier contient un virus : il n'est pas conservé."))


def _enregistrer_ou_effacer(acteur: Acteur, nom: str, prepare: Prepare, *, seau: str, cle: str) -> Fichier:
    """The row, or nothing. A commit whose answer is lost may have been done: its file stays, at worst for the sweep."""
    ecrite = False
    try:
        with transaction.atomic():
            fichier = _enregistrer(acteur, nom, prepare, seau=seau, cle=cle)
            ecrite = True
    except BaseException:
        if not ecrite:
            stockage.effacer(seau, cle)
        raise
    return fichier


def _enregistrer(acteur: Acteur, nom: str, prepare: Prepare, *, seau: str, cle: str) -> Fichier:
    """Under the lock of the actor, so that two uploads at once do not pass the quota together."""
    acteur.verrouiller(exclusif=True)
    if acteur.compte is not None:
        acteur.compte.verrouiller()
    _exiger_le_quota(acteur, prepare.taille)
    fichier = Fichier(
        nom=nom_sur(nom, prepare.type_mime),
        type_mime=prepare.type_mime,
        taille=prepare.taille,
        metadonnees_retirees=prepare.metadonnees_retirees,
        seau=seau,
        cle=cle,
        **acteur.proprietaire,
    )
    fichier.indexer()
    fichier.save(force_insert=True)
    return fichier
