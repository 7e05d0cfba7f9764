import secrets
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Compte
from resources.erreurs import FichierUtilise
from resources.lecteurs import historique
from resources.services.fichiers import attacher
from signalements.effectifs import suivre
from signalements.erreurs import SonPropreDossier
from signalements.models import ETAPE, EntreeTimeline, Signalement
from signalements.signals import (
    historique_complete,
    note_ajoutee,
    signalement_assigne,
    signalement_cree,
    statut_modifie,
)
from signalements.vocabulaire import (
    ALPHABET_REFERENCE,
    ANONYME,
    IDENTIFIE,
    PIECE_DE_SIGNALEMENT,
    SUITES_D_ALERTE,
    Priorite,
    Statut,
    TypeEntree,
)
from socle.domaine.acteurs import Acteur
from socle.domaine.ecritures import inserer
from socle.domaine.erreurs import ChampsInvalides, Introuvable
from socle.domaine.identite import masquer_ecrits
from socle.idempotence.creation import creation

TIRAGES = 5


@creation
def creer(
    *, acteur: Acteur, reference: str | None = None, pieces_jointes: Iterable[UUID] = (), **champs: Any
) -> Signalement:
    """Insert a report of this actor; its mode defaults to ANONYME for a guest, IDENTIFIE for an account.

    CRITICAL becomes HIGH: staff alone set it, and whoever reports is only the owner here, staff or not.
    """
    acteur.verrouiller(exclusif=reference is not None)
    if champs.get("priorite") == Priorite.CRITICAL:
        champs["priorite"] = Priorite.HIGH
    champs.setdefault("mode_identification", ANONYME if acteur.est_invite else IDENTIFIE)
    signalement = Signalement(**acteur.proprietaire, **champs)
    signalement.pieces_jointes = attacher(
        acteur=acteur,
        fichiers=pieces_jointes,
        sorte=PIECE_DE_SIGNALEMENT,
        objet=signalement.pk,
        anonyme=signalement.se_cache,
    )
    with suivre(signalement):
        if reference is None:
            _enregistrer_sous_une_reference(signalement)
        else:
            _enregistrer_sous(signalement, reference, acteur)
    entree = _noter(signalement, TypeEntree.CREATION, acteur, apres=signalement.statut)
    signalement_cree.send(Signalement, signalement=signalement, entrees=[entree])
    return signalement


@transaction.atomic
def changer_statut(*, signalement: Signalement, statut: str, acteur: Acteur) -> None:
    """Any statut to any other; the same again changes nothing but is still announced."""
    _verrouiller(signalement, acteur)
    ancien, entrees = signalement.statut, []
    if statut != ancien:
        with suivre(signalement):
            signalement.passer_a(statut)
            signalement.enregistrer(*ETAPE)
        entrees.append(_noter(signalement, TypeEntree.STATUT, acteur, avant=ancien, apres=statut))
    statut_modifie.send(Signalement, signalement=signalement, ancien=ancien, entrees=entrees)


@transaction.atomic
def ecarter_alerte(*, signalement: Signalement, acteur: Acteur) -> None:
    """Move on from a status that asks for attention; again changes nothing; 404 where there never was an alert."""
    _verrouiller(signalement, acteur)
    ancien = signalement.statut
    if not signalement.a_une_alerte:
        if not signalement.timeline.filter(type=TypeEntree.ALERTE_ECARTEE).exists():
            raise Introuvable
        return
    with suivre(signalement):
        signalement.passer_a(SUITES_D_ALERTE[Statut(ancien)])
        signalement.enregistrer(*ETAPE)
    entrees = [
        _noter(signalement, TypeEntree.ALERTE_ECARTEE, acteur),
        _noter(signalement, TypeEntree.STATUT, acteur, avant=ancien, apres=signalement.statut),
    ]
    statut_modifie.send(Signalement, signalement=signalement, ancien=ancien, entrees=entrees)


@transaction.atomic
def assigner(*, signalement: Signalement, gestionnaire_id: Any, acteur: Acteur) -> None:
    """Assign to an active member of staff, else 422; NOUVEAU becomes ASSIGNE, other statuses stay."""
    # Row lock: somebody who is being deactivated at this moment does not receive a case.
    gestionnaire = Compte.objects.equipe_active().select_for_update(no_key=True).filter(pk=gestionnaire_id).first()
    if gestionnaire is None:
        raise ChampsInvalides.pour(gestionnaireId=_("Choisissez une personne active de l'équipe."))
    _verrouiller(signalement, acteur)
    ancien = signalement.statut
    with suivre(signalement):
        signalement.gestionnaire = gestionnaire
        if ancien == Statut.NOUVEAU:
            signalement.passer_a(Statut.ASSIGNE)
        signalement.enregistrer("gestionnaire", *ETAPE)
    entrees = [_noter(signalement, TypeEntree.ASSIGNATION, acteur, contenu=gestionnaire.nom_complet)]
    if signalement.statut != ancien:
        entrees.append(_noter(signalement, TypeEntree.STATUT, acteur, avant=ancien, apres=signalement.statut))
    signalement_assigne.send(Signalement, signalement=signalement, entrees=entrees)


@transaction.atomic
def changer_priorite(*, signalement: Signalement, priorite: str, acteur: Acteur) -> None:
    _verrouiller(signalement, acteur)
    ancienne = signalement.priorite
    if priorite == ancienne:
        return
    with suivre(signalement):
        signalement.priorite = priorite
        signalement.enregistrer("priorite")
    entree = _noter(signalement, TypeEntree.PRIORITE, acteur, avant=ancienne, apres=priorite)
    historique_complete.send(Signalement, signalement=signalement, entrees=[entree])


@creation
def ajouter_note(*, signalement: Signalement, contenu: str, acteur: Acteur) -> EntreeTimeline:
    """An internal note: a line of the history for staff alone."""
    _verrouiller(signalement, acteur)
    note = EntreeTimeline(signalement=signalement, type=TypeEntree.NOTE, contenu=contenu, **acteur.proprietaire)
    masquer_ecrits(note)
    note.save(force_insert=True)
    note_ajoutee.send(Signalement, signalement=signalement, note=note)
    return note


@historique("tenir")
def tenir_pour_leurs_pieces(dossiers: Iterable[UUID], acteur: Acteur) -> list[Signalement]:
    """Lock these cases, in id order, before their evidence changes; 409 FILE_IN_USE for their owner, staff or not."""
    tenus = {}
    for pk in sorted(dossiers):
        signalement = Signalement(pk=pk)
        signalement.verrouiller()
        if acteur.possede(signalement):
            raise FichierUtilise
        tenus[signalement.pk] = signalement
    return list(tenus.values())


@historique("noter")
def noter_une_piece(dossiers: Iterable[Signalement], acteur: Acteur, nom: str, *, supprimee: bool) -> None:
    type_ = TypeEntree.PIECE_SUPPRIMEE if supprimee else TypeEntree.PIECE_RETABLIE
    entrees = [_noter(signalement, type_, acteur, contenu=nom) for signalement in dossiers]
    for entree in entrees:
        historique_complete.send(Signalement, signalement=entree.signalement, entrees=[entree])


def tirer_reference() -> str:
    """SIG-YYYY-XXXXXXXX, 40 random bits after the year of the campus."""
    annee = timezone.now().astimezone(settings.TIME_ZONE_CAMPUS).year
    tirage = secrets.token_bytes(8)
    return f"SIG-{annee}-{''.join(ALPHABET_REFERENCE[octet % 32] for octet in tirage)}"  # 256 is a multiple of 32


def _verrouiller(signalement: Signalement, acteur: Acteur) -> None:
    """Lock the row, and 403 on one's own again: a merge may have made it so since the door."""
    signalement.verrouiller()
    if acteur.possede(signalement):
        raise SonPropreDossier


def _enregistrer_sous_une_reference(signalement: Signalement) -> None:
    for _essai in range(TIRAGES):
        signalement.reference = tirer_reference()
        signalement.indexer()
        if inserer(signalement, sauf_conflit=True):
            return
    raise IntegrityError("no reference is free")


def _enregistrer_sous(signalement: Signalement, reference: str, acteur: Acteur) -> None:
    """Save under a declared reference, 422 if used twice: it gives no access, it lets staff see that two are one."""
    if acteur.compte is not None:
        acteur.compte.verrouiller()
    if Signalement.objects.de(acteur).filter(reference=reference).exists():
        raise ChampsInvalides.pour("unique", reference=_("Vous avez déjà un signalement sous cette référence."))
    signalement.reference = reference
    signalement.reference_tiree = False
    signalement.indexer()
    signalement.save(force_insert=True)


def _noter(signalement: Signalement, type_: str, acteur: Acteur, **champs: str) -> EntreeTimeline:
    entree = EntreeTimeline(signalement=signalement, type=type_, **champs, **acteur.proprietaire)
    inserer(entree)
    return entree
