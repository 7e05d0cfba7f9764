from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.admin.models import CHANGE, DELETION
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.journal import noter
from resources import stockage
from resources.antivirus import virus_dans
from resources.erreurs import FichierUtilise, QuotaDepasse, fichier_refuse
from resources.lecteurs import dossiers_de, historique, lecteurs
from resources.models import Attache, Fichier, Ressource
from resources.noms import nom_sur
from resources.preparation import Prepare, preparer
from resources.signals import virus_trouve
from resources.vocabulaire import EN_COURS, LOCAL, RESSOURCE, Portee
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import ChampsInvalides, Introuvable
from socle.idempotence.creation import creation

L = TypeVar("L")


def televerser(*, acteur: Acteur, envoye: Any) -> Fichier:
    return recevoir(acteur=acteur, envoye=envoye, faire=lambda fichier: fichier)


def recevoir(
    *,
    acteur: Acteur,
    envoye: Any,
    faire: Callable[[Fichier], L],
    admis: Collection[str] = (),
    nettoyes: Collection[str] = (),
) -> L:
    """Scan, clean, store, then record; return what `faire` makes of the row. A failure leaves neither row nor file.

    `admis` closes the list of types; `nettoyes` those that are cleaned, all that can be where it is empty.
    """
    stockage.exiger_de_la_place(envoye.size)
    _exiger_le_quota(acteur, envoye.size)
    chemin = Path(envoye.temporary_file_path())
    _exiger_sans_virus(chemin)
    with TemporaryDirectory(prefix=EN_COURS) as dossier, stockage.pannes_dites():
        prepare = preparer(chemin, Path(dossier) / "propre", nom=envoye.name, admis=admis, nettoyes=nettoyes)
        with prepare.chemin.open("rb") as contenu:
            seau, cle = stockage.ranger(contenu)
        return _enregistrer_ou_effacer(acteur, envoye.name, prepare, faire, seau=seau, cle=cle)


def attacher(*, acteur: Acteur, fichiers: Iterable[UUID], sorte: str, objet: UUID, anonyme: bool = False) -> list[str]:
    """Use these files of the actor's own on this object, and answer their ids; 422 names each that is not theirs.

    `anonyme`: the object hides the actor. 409 for a file that would then be there and elsewhere.
    """
    demandes = list(dict.fromkeys(fichiers))
    if not demandes:
        return []
    for couture in (lecteurs, dossiers_de):
        couture.exiger(sorte)
    with transaction.atomic():
        return _attacher(acteur, demandes, sorte, objet, anonyme)


def _attacher(acteur: Acteur, demandes: list[UUID], sorte: str, objet: UUID, anonyme: bool) -> list[str]:
    # Row locks, so that none of them is deleted at this moment.
    siens = verrouiller_dans_l_ordre(Fichier.objects.de(acteur).presents().filter(pk__in=demandes))
    connus = {fichier.pk: fichier for fichier in siens}
    if inconnus := [rang for rang, pk in enumerate(demandes) if pk not in connus]:
        message = _("Ce fichier n'existe pas, ou n'est pas un des vôtres.")
        raise ChampsInvalides.pour("does_not_exist", **{f"piecesJointes.{rang}": message for rang in inconnus})
    for fichier in connus.values():
        fichier.destiner(Portee.ANONYME if anonyme else Portee.OUVERTE)
    Fichier.objects.bulk_update(connus.values(), ["portee", "recherche"])
    Attache.objects.bulk_create(Attache(fichier_id=pk, sorte=sorte, objet=objet) for pk in demandes)
    return [str(pk) for pk in demandes]


def supprimer(*, fichier: Fichier, acteur: Acteur) -> None:
    """Delete a file; 409 where in use, but for an administrator: evidence is then kept for a time."""
    copie = _copier(fichier) if fichier.seau != LOCAL and _preuves(fichier).exists() else None
    garde = False
    try:
        with transaction.atomic():
            garde = _supprimer(fichier, acteur, copie)
    finally:
        if copie is not None and not garde:
            stockage.effacer(*copie)


@transaction.atomic
def retablir(*, fichier: Fichier, acteur: Acteur) -> None:
    """Take back the deletion of evidence; again changes nothing. 404 once it has been purged."""
    dossiers = _tenir_les_dossiers(fichier, acteur)
    ligne = _verrouille(fichier.pk)
    if ligne.est_supprime:
        ligne.date_suppression = None
        ligne.enregistrer("date_suppression")
        _raconter(ligne, acteur, dossiers, supprimee=False)


@transaction.atomic
def effacer(pk: UUID) -> None:
    """Delete the row, then the stored file."""
    seau, cle = Fichier.objects.values_list("seau", "cle").get(pk=pk)
    oublier(pk)
    effacer_au_commit(seau, cle)


def effacer_au_commit(seau: str, cle: str) -> None:
    """Delete the stored file once the transaction is committed; one that stays is an orphan, for sweep_files."""
    transaction.on_commit(lambda: stockage.effacer(seau, cle), robust=True)


def est_retenu(fichier: Fichier) -> bool:
    """True where a case that it is evidence of is held; the cases are locked, in a transaction, before the file is."""
    dossiers = _dossiers(fichier)
    return bool(dossiers) and bool(historique["geles"](dossiers))


@transaction.atomic
def oublier(pk: UUID) -> None:
    """Delete the row, and soft-delete its resource; objects it is attached to keep its id, which leads nowhere."""
    _retirer_de_la_bibliotheque(pk)
    Fichier.objects.filter(pk=pk).delete()


def _supprimer(fichier: Fichier, acteur: Acteur, copie: tuple[str, str] | None) -> bool:
    """Delete under locks, cases before files as in a merge; True where the row keeps the file, as `copie` if given."""
    dossiers = _tenir_les_dossiers(fichier, acteur)
    ligne = _verrouille(fichier.pk)
    if ligne.est_supprime:
        raise Introuvable  # somebody else has just done it
    utilise = ligne.attaches.exists()
    # Attached to a case at this very moment: that one is not locked.
    if utilise and (not acteur.peut(Droit.FICHIERS_SUPPRIMER_TOUS) or _dossiers(ligne) - {d.pk for d in dossiers}):
        raise FichierUtilise
    if preuve := _preuves(ligne).exists():
        _garder(ligne, copie)
    else:
        effacer(ligne.pk)
    if utilise or not acteur.possede(ligne):
        _raconter(ligne, acteur, dossiers, supprimee=True)
    return preuve


def _garder(ligne: Fichier, copie: tuple[str, str] | None) -> None:
    """Mark it as deleted; in a bucket move it to the key of `copie`: links already given out lead to the old one."""
    _retirer_de_la_bibliotheque(ligne.pk)
    ancienne = ligne.seau, ligne.cle
    if copie is not None:
        ligne.seau, ligne.cle = copie
        effacer_au_commit(*ancienne)
    ligne.date_suppression = timezone.now()
    ligne.enregistrer("date_suppression", "seau", "cle")


def _copier(fichier: Fichier) -> tuple[str, str] | None:
    """Store a copy under a new key: `(bucket, key)`, None where the store has lost the file."""
    with stockage.pannes_dites():
        try:
            contenu = stockage.ouvrir(fichier)
        except FileNotFoundError:
            return None
        with contenu:
            return stockage.ranger(contenu)


def _verrouille(pk: UUID) -> Fichier:
    ligne = Fichier.objects.select_for_update().filter(pk=pk).first()
    if ligne is None:
        raise Introuvable
    return ligne


def _preuves(fichier: Fichier) -> Any:
    """Attachments outside of the library: they make the file evidence."""
    return fichier.attaches.exclude(sorte=RESSOURCE)


def _dossiers(fichier: Fichier) -> set[UUID]:
    par_sorte: dict[str, list[UUID]] = {}
    for sorte, objet in fichier.attaches.values_list("sorte", "objet"):
        par_sorte.setdefault(sorte, []).append(objet)
    return {dossier for sorte, ids in par_sorte.items() for dossier in dossiers_de[sorte](ids)}


def _tenir_les_dossiers(fichier: Fichier, acteur: Acteur) -> list[Any]:
    dossiers = _dossiers(fichier)
    return list(historique["tenir"](dossiers, acteur)) if dossiers else []


def _raconter(fichier: Fichier, acteur: Acteur, dossiers: list[Any], *, supprimee: bool) -> None:
    """Write it to the history of its cases, the register and the journal: here, so that every way in tells it once."""
    if dossiers:
        historique["noter"](dossiers, acteur, fichier.nom_d_autrui, supprimee=supprimee)
    _consigner(fichier, acteur, dossiers, Acte.FICHIER_SUPPRIME if supprimee else Acte.FICHIER_RETABLI)
    noter(
        fichier,
        par=acteur.compte,
        acte=DELETION if supprimee else CHANGE,
        tus=() if supprimee else ("date_suppression",),
    )


def _consigner(fichier: Fichier, acteur: Acteur, dossiers: list[Any], acte: Acte) -> None:
    """Into the register, never by its name: under each case whose evidence it is, else under its own id."""
    for dossier in dossiers:
        consigner(acte, par=acteur, objet=dossier.pk, sorte=Sorte.SIGNALEMENT, fichier=fichier.pk)
    if not dossiers:
        consigner(acte, par=acteur, objet=fichier.pk, sorte=Sorte.FICHIER)


def _retirer_de_la_bibliotheque(pk: UUID) -> None:
    Ressource.objects.vivantes().filter(fichier=pk).update(date_suppression=timezone.now())
    Attache.objects.filter(fichier=pk, sorte=RESSOURCE).delete()


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


def _enregistrer_ou_effacer(
    acteur: Acteur, nom: str, prepare: Prepare, faire: Callable[[Fichier], L], *, seau: str, cle: str
) -> L:
    """Insert the rows, or erase the stored file; not after a failed commit, which may be done: it is kept or swept."""
    ecrite = False
    try:
        with transaction.atomic():
            ligne = _enregistrer(acteur, nom, prepare, faire, seau=seau, cle=cle)
            ecrite = True
    except BaseException:
        if not ecrite:
            stockage.effacer(seau, cle)
        raise
    return ligne


@creation
def _enregistrer(
    acteur: Acteur, nom: str, prepare: Prepare, faire: Callable[[Fichier], L], *, seau: str, cle: str
) -> L:
    """Under the lock of the actor, so that two uploads at once do not pass the quota together."""
    acteur.verrouiller(exclusif=True)
    if acteur.compte is not None:
        acteur.compte.verrouiller()
    _exiger_le_quota(acteur, prepare.taille)
    fichier = Fichier(
        nom=nom_sur(nom, prepare.type_mime, nettoye=prepare.metadonnees_retirees),
        type_mime=prepare.type_mime,
        taille=prepare.taille,
        metadonnees_retirees=prepare.metadonnees_retirees,
        seau=seau,
        cle=cle,
        **acteur.proprietaire,
    )
    fichier.indexer()
    fichier.save(force_insert=True)
    return faire(fichier)
