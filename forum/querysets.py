from typing import Any

from django.db import models
from django.db.models import Count, Q

from accounts.vocabulaire import sauf_le_nom
from forum.vocabulaire import PUBLICS
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.recherche import correspond


class SupprimableQuerySet(models.QuerySet[Any]):
    def presents(self) -> "SupprimableQuerySet":
        """Exclude soft-deleted rows, which stay as a record."""
        return self.filter(date_suppression__isnull=True)


class PosteQuerySet(SupprimableQuerySet):
    def pour_lecture(self) -> "PosteQuerySet":
        """All that a response needs, pinned ones first, then the newest."""
        lignes = (
            self.filter(date_suppression__isnull=True)
            .select_related("compte")
            .defer("recherche", *sauf_le_nom("compte"))
        )
        return lignes.order_by("-est_epingle", "-date_creation", "-id")

    def visibles_par(self, acteur: Acteur) -> "PosteQuerySet":
        """Staff see all; other accounts what is approved and their own; a guest nothing."""
        presents = self.filter(date_suppression__isnull=True)
        if acteur.compte is None:
            return presents.none()
        if acteur.peut(Droit.FORUM_CONSULTER_TOUS):
            return presents
        return presents.filter(Q(statut__in=PUBLICS) | Q(compte=acteur.compte))

    def approuves(self) -> "PosteQuerySet":
        return self.filter(statut__in=PUBLICS)

    def de_statut(self, statut: str, acteur: Acteur) -> "PosteQuerySet":
        """Filter visible posts by status; repeat the owner for a non-public one, so that the index by owner serves."""
        lignes = self.filter(statut=statut)
        if statut in PUBLICS or acteur.peut(Droit.FORUM_CONSULTER_TOUS):
            return lignes
        return lignes.filter(compte=acteur.compte)

    def a_moderer_d_abord(self) -> "PosteQuerySet":
        """Oldest first, the order of moderation."""
        return self.order_by("date_creation", "id")

    def cherches(self, texte: str) -> "PosteQuerySet":
        return self.filter(correspond(texte, "recherche"))


class CommentaireQuerySet(SupprimableQuerySet):
    def pour_lecture(self) -> "CommentaireQuerySet":
        """Oldest first, as a conversation reads."""
        lignes = (
            self.filter(date_suppression__isnull=True)
            .select_related("compte")
            .defer("recherche", *sauf_le_nom("compte"))
        )
        return lignes.order_by("date_creation", "id")


class ReactionQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "ReactionQuerySet":
        return self.order_by("-date_creation", "-id")

    def par_type(self, poste: Any, compte: Any) -> "models.QuerySet[Any, Any]":
        """`{type, nombre, miennes}` of this post, by type; `miennes`: 1 where this account set it, else 0."""
        miennes = Count("pk", filter=Q(compte=compte))
        return self.filter(poste=poste).order_by("type").values("type").annotate(nombre=Count("pk"), miennes=miennes)


class DemandeDeRelectureQuerySet(models.QuerySet[Any]):
    def ouvertes(self) -> "DemandeDeRelectureQuerySet":
        return self.filter(date_fin__isnull=True)

    def decidables_par(self, acteur: Acteur) -> "DemandeDeRelectureQuerySet":
        """Exclude those about what this moderator wrote, and about answers to it: nobody judges, nor learns, their own.

        Whoever wrote the post is left out for its answers too: a reason may speak of them.
        """
        return self.exclude(poste__compte=acteur.compte).exclude(commentaire__compte=acteur.compte)

    def sur(self, poste: Any, commentaire: Any = None) -> "DemandeDeRelectureQuerySet":
        """About this answer, or without one about the post itself."""
        return self.filter(poste=poste, commentaire=commentaire)

    def pour_lecture(self) -> "DemandeDeRelectureQuerySet":
        """Oldest first, the order of moderation."""
        return self.select_related("poste", "commentaire").order_by("date_creation", "id")


class ModerationQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "ModerationQuerySet":
        """In the order of the decisions."""
        return self.select_related("compte").order_by("poste_id", "numero")
