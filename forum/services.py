from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from forum import moderation
from forum.models import Commentaire, Moderation, MotSurveille, Poste, Reaction
from forum.signals import commentaire_ecrit, poste_publie, reaction_posee, reaction_retiree, statut_modifie
from forum.vocabulaire import PIECE_DE_POSTE, Statut
from resources.services.fichiers import attacher
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable
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
    statut_modifie.send(Poste, poste=poste)
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
    if not acteur.possede(poste):
        _consigner(acteur, poste, "SUPPRIMEE")


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
    commentaire.refresh_from_db()
    if commentaire.date_suppression is not None:
        raise Introuvable
    commentaire.supprimer(acteur)
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


def _verrouiller(acteur: Acteur, poste: Poste) -> None:
    """Take the row lock and refresh, or 404: meanwhile the post may have been hidden from this actor, or deleted."""
    try:
        poste.refresh_from_db(from_queryset=Poste.objects.visibles_par(acteur).select_for_update(no_key=True))
    except Poste.DoesNotExist:
        raise Introuvable from None


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
