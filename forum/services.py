from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import Compte
from forum import moderation
from forum.erreurs import TropDeDemandes
from forum.models import Commentaire, DemandeDeRelecture, Moderation, MotSurveille, Poste, Reaction
from forum.signals import (
    commentaire_ecrit,
    poste_publie,
    poste_supprime,
    reaction_posee,
    reaction_retiree,
    relecture_demandee,
    statut_modifie,
)
from forum.vocabulaire import DEMANDES_PAR_JOUR, PIECE_DE_POSTE, PUBLICS, Statut
from resources.services.fichiers import attacher
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.condition import est_tenue
from socle.domaine.identite import masquer_ecrits
from socle.erreurs import Introuvable, PermissionRefusee
from socle.idempotence.creation import creation


def publier(*, acteur: Acteur, pieces_jointes: Iterable[UUID] = (), **champs: Any) -> Poste:
    """A post of this account, NOUVEAU unless the moderator hook has an opinion."""
    poste = Poste(compte=acteur.compte, **champs)
    poste.indexer()
    # Before the transaction: it may be slow, and must hold no lock meanwhile.
    return _enregistrer(poste, moderation.avis(poste.textes), acteur, pieces_jointes)


@creation
def _enregistrer(poste: Poste, avis: str | None, acteur: Acteur, pieces_jointes: Iterable[UUID]) -> Poste:
    poste.statut = avis or Statut.NOUVEAU
    poste.pieces_jointes = attacher(acteur=acteur, fichiers=pieces_jointes, sorte=PIECE_DE_POSTE, objet=poste.pk)
    poste.save(force_insert=True)
    if avis:
        _noter(poste, avant=Statut.NOUVEAU, acteur=None)
    poste_publie.send(Poste, poste=poste)
    return poste


@transaction.atomic
def moderer(*, acteur: Acteur, poste: Poste, statut: str) -> bool:
    """Any statut to any other; the same again changes nothing (False) but is still announced."""
    _verrouiller(acteur, poste)
    avant = poste.statut
    if statut != avant:
        poste.statut = statut
        poste.approuver_par = acteur.compte if statut == Statut.APPROUVER else None
        poste.enregistrer("statut", "approuver_par")
        _noter(poste, avant=avant, acteur=acteur)
        _consigner(acteur, poste, statut)
    if statut not in (*PUBLICS, Statut.NOUVEAU):  # refused or put away, its answers with it
        _clore(DemandeDeRelecture.objects.filter(poste=poste).decidables_par(acteur))
    statut_modifie.send(Poste, poste=poste, avant=avant, par=acteur.compte.pk)
    return statut != avant


@transaction.atomic
def epingler(*, acteur: Acteur, poste: Poste, epingle: bool = True) -> bool:
    """Set or clear the pin under the row lock; False where it was so already."""
    _verrouiller(acteur, poste)
    if poste.est_epingle == epingle:
        return False
    poste.est_epingle = epingle
    poste.enregistrer("est_epingle")
    _consigner(acteur, poste, "EPINGLEE" if epingle else "DESEPINGLEE")
    return True


@transaction.atomic
def supprimer(*, acteur: Acteur, poste: Poste) -> None:
    """Soft-delete the post: it leaves every answer with its comments and reactions; the rows stay, for staff."""
    _verrouiller(acteur, poste)
    poste.supprimer(acteur)
    _clore(DemandeDeRelecture.objects.filter(poste=poste))
    if not acteur.possede(poste):
        _consigner(acteur, poste, "SUPPRIMEE")
    poste_supprime.send(Poste, poste=poste)


@creation
def commenter(*, acteur: Acteur, poste: Poste, contenu: str) -> Commentaire:
    _verrouiller(acteur, poste)
    commentaire = Commentaire(poste=poste, compte=acteur.compte, contenu=contenu)
    commentaire.indexer()
    commentaire.save(force_insert=True)
    _compter(poste, "nb_commentaires", 1)
    commentaire_ecrit.send(Commentaire, commentaire=commentaire, poste=poste)
    return commentaire


@transaction.atomic
def supprimer_commentaire(*, acteur: Acteur, poste: Poste, commentaire: Commentaire) -> None:
    _verrouiller(acteur, poste)
    _relire(commentaire)
    commentaire.supprimer(acteur)
    _clore(DemandeDeRelecture.objects.sur(poste, commentaire))
    _compter(poste, "nb_commentaires", -1)
    if not acteur.possede(commentaire):
        _consigner(acteur, poste, "SUPPRIME", commentaire=commentaire.pk)


@creation
def reagir(*, acteur: Acteur, poste: Poste, type: str) -> tuple[Reaction, bool]:
    """Get or create the account's reaction of this type: `(reaction, created)`."""
    _verrouiller(acteur, poste)
    reaction, est_nouvelle = Reaction.objects.get_or_create(poste=poste, compte=acteur.compte, type=type)
    if est_nouvelle:
        _compter(poste, "nb_reactions", 1)
        reaction_posee.send(Reaction, reaction=reaction, poste=poste)
    return reaction, est_nouvelle


@transaction.atomic
def retirer_reaction(*, acteur: Acteur, poste: Poste, reaction: Reaction) -> None:
    _verrouiller(acteur, poste)
    retirees, _detail = Reaction.objects.filter(pk=reaction.pk).delete()
    if not retirees:
        raise Introuvable
    _compter(poste, "nb_reactions", -1)
    reaction_retiree.send(Reaction, reaction_id=reaction.pk, poste=poste)


@transaction.atomic
def demander_relecture(
    *, acteur: Acteur, poste: Poste, commentaire: Commentaire | None = None, motif: str = ""
) -> DemandeDeRelecture:
    """Ask the moderators to read this again; what the account asks already is left as it is.

    Under the lock of the account, so that two at once do not pass the bound of a day together.
    """
    acteur.compte.verrouiller()
    _verrouiller(acteur, poste)
    if commentaire is not None:
        _relire(commentaire)
    if acteur.possede(commentaire or poste):
        raise PermissionRefusee
    siennes = DemandeDeRelecture.objects.filter(compte=acteur.compte)
    if ouverte := siennes.ouvertes().sur(poste, commentaire).first():
        return ouverte
    _exiger_la_mesure(siennes)
    demande = DemandeDeRelecture(poste=poste, commentaire=commentaire, compte=acteur.compte, motif=motif)
    masquer_ecrits(demande)
    demande.save(force_insert=True)
    relecture_demandee.send(DemandeDeRelecture, demande=demande)
    return demande


@transaction.atomic
def rien_a_changer(*, acteur: Acteur, demande: DemandeDeRelecture) -> bool:
    """Close all that is asked about the same writing; False where another has decided, PermissionRefusee of one's own.

    Into the register under what was read again, which its author does not find there.
    """
    _verrouiller(acteur, demande.poste)
    toutes = DemandeDeRelecture.objects.sur(demande.poste, demande.commentaire)
    if not toutes.decidables_par(acteur).filter(pk=demande.pk).exists():
        raise PermissionRefusee
    if not _clore(toutes):
        return False
    quoi = "RELUE" if demande.commentaire is None else "RELU"
    consigner(Acte.PUBLICATION_MODEREE, par=acteur, objet=demande.vise.pk, sorte=Sorte.PUBLICATION, quoi=quoi)
    return True


def oublier_les_demandes(compte: Compte) -> int:
    """Delete what this account asked to be read again: nothing of it outlives the person."""
    return DemandeDeRelecture.objects.filter(compte=compte).delete()[0]


def _clore(demandes: Any) -> int:
    """Close those that are open, under the lock of their post."""
    return int(demandes.ouvertes().update(date_fin=timezone.now()))


def _exiger_la_mesure(siennes: Any) -> None:
    """429 past DEMANDES_PAR_JOUR in 24 hours, until the first of them is older."""
    depuis = timezone.now() - timedelta(days=1)
    dernieres = siennes.filter(date_creation__gt=depuis).order_by("-date_creation", "-id")
    dates = list(dernieres.values_list("date_creation", flat=True)[:DEMANDES_PAR_JOUR])
    if len(dates) == DEMANDES_PAR_JOUR:
        raise TropDeDemandes(attente=int((dates[-1] - depuis).total_seconds()) + 1)


def _relire(commentaire: Commentaire) -> None:
    """Refresh an answer, its post being locked; 404 once it is deleted."""
    commentaire.refresh_from_db()
    if commentaire.date_suppression is not None:
        raise Introuvable


def _verrouiller(acteur: Acteur, poste: Poste) -> None:
    """Take the row lock and refresh, or 404: meanwhile the post may have been hidden from this actor, or deleted."""
    try:
        poste.refresh_from_db(from_queryset=Poste.objects.visibles_par(acteur).select_for_update(no_key=True))
    except Poste.DoesNotExist:
        raise Introuvable from None
    est_tenue(poste)


def _compter(poste: Poste, compteur: str, ecart: int) -> None:
    """Move a counter of the locked post; not `date_modification`: comments and reactions do not modify a post."""
    setattr(poste, compteur, getattr(poste, compteur) + ecart)
    poste.save(update_fields=[compteur])


def consigner_un_mot(mot: MotSurveille, quoi: str, *, par: Any) -> None:
    """Into the register, not the word itself: the history of the admin site has it."""
    consigner(Acte.MOT_SURVEILLE_CHANGE, par=par, objet=mot.pk, sorte=Sorte.MOT_SURVEILLE, quoi=quoi)


def _consigner(acteur: Acteur, poste: Poste, quoi: str, **details: UUID) -> None:
    consigner(Acte.PUBLICATION_MODEREE, par=acteur, objet=poste.pk, sorte=Sorte.PUBLICATION, quoi=quoi, **details)


def _noter(poste: Poste, *, avant: str, acteur: Acteur | None) -> None:
    """Append a history line, numbered under the lock of the post; no actor means the moderator hook."""
    dernier = poste.moderations.aggregate(dernier=Max("numero"))["dernier"] or 0
    compte = acteur.compte if acteur else None
    Moderation.objects.create(poste=poste, numero=dernier + 1, compte=compte, avant=avant, apres=poste.statut)
