from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from forum import lectures, services
from forum import serializers as formes
from forum.filters import PosteFiltre
from forum.permissions import (
    commentaire_supprimable,
    commentaire_visible,
    poste_supprimable,
    poste_visible,
    reaction_retirable,
    reaction_visible,
)
from forum.vocabulaire import REACTIONS_MONTREES
from socle.api.champs import MOTIF_UUID
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit

VISIBLE = _("Une publication que l'on ne peut pas voir est un 404.")


class PosteViewSet(ApiViewSet):
    etiquette = "Forum"
    lookup_url_kwarg = "poste_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    @operation(
        _("Publier"),
        _("Publication envoyée."),
        droit=Droit.FORUM_PARTICIPER,
        entree=formes.PosteCreate,
        sortie=formes.PosteDetail,
        statut=201,
        relire=poste_visible,
        erreurs=(409,),
        description=_(
            "NOUVEAU : visible de son auteur et de l'équipe, jusqu'à ce qu'elle soit approuvée. Un fichier joint à "
            "un signalement anonyme ne peut l'être ici : 409 FILE_IN_USE."
        ),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(services.publier(acteur=self.acteur, **self.donnees()))

    @operation(
        _("Publications"),
        _("Publications."),
        droit=Droit.FORUM_PARTICIPER,
        sortie=formes.PosteDetail,
        page=True,
        filtres=PosteFiltre,
        description=_(
            "L'équipe : toutes ; les autres : celles qui sont approuvées et les leurs. Les épinglées d'abord, "
            "puis les plus récentes ; `statut=NOUVEAU` : les plus anciennes d'abord."
        ),
    )
    def list(self, request: Any) -> Any:
        return self.paginer(lectures.visibles(self.acteur))

    @operation(
        _("Publications approuvées"),
        _("Publications approuvées."),
        droit=Droit.FORUM_PARTICIPER,
        sortie=formes.PosteDetail,
        page=True,
        description=_("APPROUVER et APPROUVER_IA. Les épinglées d'abord, puis les plus récentes."),
    )
    @action(detail=False, methods=["get"])
    def approuves(self, request: Any) -> Any:
        return self.paginer(lectures.approuves())

    @operation(
        _("Consulter une publication"),
        _("Publication."),
        droit=Droit.FORUM_PARTICIPER,
        sortie=formes.PosteDetail,
        description=VISIBLE,
    )
    def retrieve(self, request: Any, poste_id: str) -> Any:
        return self.rendre(poste_visible(self.acteur, poste_id))

    @operation(
        _("Supprimer une publication"),
        _("Publication supprimée."),
        droit=Droit.FORUM_PARTICIPER,
        etat="retrieve",
        statut=204,
        erreurs=(403,),
        description=_("Son auteur ou un administrateur. Elle quitte toutes les réponses ; l'équipe en garde trace."),
    )
    def destroy(self, request: Any, poste_id: str) -> Any:
        services.supprimer(acteur=self.acteur, poste=poste_supprimable(self.acteur, poste_id))
        return self.rendre()

    @operation(
        _("Épingler"),
        _("Publication épinglée."),
        droit=Droit.FORUM_EPINGLER,
        sortie=formes.PosteDetail,
        etat="retrieve",
    )
    @action(detail=True, methods=["put"], url_path="epingle")
    def epingler(self, request: Any, poste_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        services.epingler(acteur=self.acteur, poste=poste)
        return self.rendre(poste)

    @operation(
        _("Ne plus épingler"),
        _("Publication désépinglée."),
        droit=Droit.FORUM_EPINGLER,
        sortie=formes.PosteDetail,
        etat="retrieve",
    )
    @epingler.mapping.delete
    def desepingler(self, request: Any, poste_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        services.epingler(acteur=self.acteur, poste=poste, epingle=False)
        return self.rendre(poste)

    @operation(
        _("Modérer"),
        _("Statut mis à jour."),
        droit=Droit.FORUM_MODERER,
        etat="retrieve",
        entree=formes.StatutPosteUpdate,
        sortie=formes.PosteDetail,
        description=_(
            "Tout statut peut suivre tout autre ; le même, de nouveau, ne change rien mais est annoncé. "
            "`approuverParId` est posé par APPROUVER et vidé par tout autre."
        ),
    )
    @action(detail=True, methods=["patch"])
    def statut(self, request: Any, poste_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        services.moderer(acteur=self.acteur, poste=poste, **self.donnees())
        return self.rendre(poste)

    @operation(
        _("Historique de modération"),
        _("Historique."),
        droit=Droit.FORUM_MODERER,
        sortie=formes.ModerationDetail,
        liste=True,
        description=_("Dans l'ordre des décisions ; sans auteur, celle du modérateur automatique."),
    )
    @action(detail=True, methods=["get"])
    def historique(self, request: Any, poste_id: str) -> Any:
        return self.rendre(poste_visible(self.acteur, poste_id).moderations.pour_lecture())


class CommentaireViewSet(ApiViewSet):
    etiquette = "Commentaires"
    lookup_url_kwarg = "commentaire_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Commenter"),
        _("Commentaire ajouté."),
        droit=Droit.FORUM_PARTICIPER,
        entree=formes.CommentaireCreate,
        sortie=formes.CommentaireDetail,
        statut=201,
        relire=commentaire_visible,
        description=VISIBLE,
    )
    def create(self, request: Any, poste_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        return self.rendre(services.commenter(acteur=self.acteur, poste=poste, **self.donnees()))

    @operation(
        _("Commentaires d'une publication"),
        _("Commentaires."),
        droit=Droit.FORUM_PARTICIPER,
        sortie=formes.CommentaireDetail,
        page=True,
        description=_("Les plus anciens d'abord."),
    )
    def list(self, request: Any, poste_id: str) -> Any:
        return self.paginer(poste_visible(self.acteur, poste_id).commentaires.pour_lecture())

    @operation(
        _("Supprimer un commentaire"),
        _("Commentaire supprimé."),
        droit=Droit.FORUM_PARTICIPER,
        statut=204,
        erreurs=(403,),
        description=_("Son auteur ou un administrateur."),
    )
    def destroy(self, request: Any, poste_id: str, commentaire_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        commentaire = commentaire_supprimable(self.acteur, poste, commentaire_id)
        services.supprimer_commentaire(acteur=self.acteur, poste=poste, commentaire=commentaire)
        return self.rendre()


class ReactionViewSet(ApiViewSet):
    etiquette = "Réactions"
    lookup_url_kwarg = "reaction_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Réagir"),
        _("Réaction enregistrée."),
        droit=Droit.FORUM_PARTICIPER,
        entree=formes.ReactionCreate,
        sortie=formes.ReactionDetail,
        statut=201,
        statut_deja_fait=200,
        relire=reaction_visible,
        description=_("Une de chaque type par personne et publication : la même, de nouveau, est rendue (200)."),
    )
    def create(self, request: Any, poste_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        reaction, est_nouvelle = services.reagir(acteur=self.acteur, poste=poste, **self.donnees())
        return self.rendre(reaction) if est_nouvelle else self.rendre_deja_fait(reaction)

    @operation(
        _("Réactions à une publication"),
        _("Réactions."),
        droit=Droit.FORUM_PARTICIPER,
        sortie=formes.ReactionDetail,
        liste=True,
        description=format_lazy(
            _("Les plus récentes d'abord, {maximum} au plus ; `nbReactions` les compte toutes."),
            maximum=REACTIONS_MONTREES,
        ),
    )
    def list(self, request: Any, poste_id: str) -> Any:
        return self.rendre(poste_visible(self.acteur, poste_id).reactions.pour_lecture()[:REACTIONS_MONTREES])

    @operation(
        _("Retirer une réaction"),
        _("Réaction retirée."),
        droit=Droit.FORUM_PARTICIPER,
        statut=204,
        erreurs=(403,),
        description=_("Son auteur ou un administrateur."),
    )
    def destroy(self, request: Any, poste_id: str, reaction_id: str) -> Any:
        poste = poste_visible(self.acteur, poste_id)
        reaction = reaction_retirable(self.acteur, poste, reaction_id)
        services.retirer_reaction(acteur=self.acteur, poste=poste, reaction=reaction)
        return self.rendre()
