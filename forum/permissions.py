from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q

from forum.lectures import visible
from forum.models import Commentaire, Poste, Reaction
from forum.vocabulaire import PIECE_DE_POSTE
from resources.lecteurs import aucun_dossier, dossiers_de, lecteurs
from socle.audit.models import objets_caches
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import Introuvable, PermissionRefusee


def poste_visible(acteur: Acteur, pk: UUID | str) -> Poste:
    """The only door to a post: 404 for one that the actor may not see."""
    if poste := visible(acteur, pk).premiere():
        return poste
    raise Introuvable


def poste_supprimable(acteur: Acteur, pk: UUID | str) -> Poste:
    poste = poste_visible(acteur, pk)
    _exiger_auteur_ou_admin(acteur, poste)
    return poste


def commentaire_de(poste: Poste, pk: UUID | str) -> Commentaire:
    """Fetch a comment of this post, which the actor may see, or 404."""
    commentaire: Commentaire | None = poste.commentaires.pour_lecture().filter(pk=pk).first()
    if commentaire is None:
        raise Introuvable
    return commentaire


def commentaire_supprimable(acteur: Acteur, poste: Poste, pk: UUID | str) -> Commentaire:
    commentaire = commentaire_de(poste, pk)
    _exiger_auteur_ou_admin(acteur, commentaire)
    return commentaire


def commentaire_visible(acteur: Acteur, pk: UUID | str) -> Commentaire:
    """Fetch a comment through the door of its post, or 404."""
    commentaire = Commentaire.objects.pour_lecture().filter(pk=pk).first()
    if commentaire is None:
        raise Introuvable
    poste_visible(acteur, commentaire.poste_id)
    return commentaire


def reaction_visible(acteur: Acteur, pk: UUID | str) -> Reaction:
    reaction = Reaction.objects.filter(pk=pk).first()
    if reaction is None:
        raise Introuvable
    poste_visible(acteur, reaction.poste_id)
    return reaction


def reaction_retirable(acteur: Acteur, poste: Poste, pk: UUID | str) -> Reaction:
    reaction = poste.reactions.filter(pk=pk).first()
    if reaction is None:
        raise Introuvable
    _exiger_auteur_ou_admin(acteur, reaction)
    return reaction


@lecteurs(PIECE_DE_POSTE)
def postes_lisibles(acteur: Acteur, ids: Iterable[UUID]) -> Any:
    """Queryset of these posts whose files the actor may read: those they may see."""
    return Poste.objects.visibles_par(acteur).filter(pk__in=ids)


dossiers_de(PIECE_DE_POSTE)(aucun_dossier)


@objets_caches("ses propres publications")
def publications_cachees(acteur: Acteur) -> Any:
    return Poste.objects.filter(compte=acteur.compte).values("pk")


@objets_caches("ses propres commentaires, et ceux de ses publications")
def commentaires_caches(acteur: Acteur) -> Any:
    return Commentaire.objects.filter(Q(compte=acteur.compte) | Q(poste__compte=acteur.compte)).values("pk")


def _exiger_auteur_ou_admin(acteur: Acteur, ligne: Poste | Commentaire | Reaction) -> None:
    if not (acteur.possede(ligne) or acteur.peut(Droit.FORUM_SUPPRIMER_TOUT)):
        raise PermissionRefusee
