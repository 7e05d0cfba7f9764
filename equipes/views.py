from typing import Any
from uuid import UUID

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from equipes import serializers as formes
from equipes.en_vigueur import essayer
from equipes.models import Equipe, RegleDeRoutage
from equipes.permissions import equipe_connue, membres_lisibles, regle_connue
from equipes.services import equipes as services
from equipes.services import regles
from equipes.vocabulaire import EQUIPES_MAX, MEMBRES_MAX, REGLES_MAX
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit

DIT = _("Écrit au registre ; l'équipe l'apprend.")


class EquipeViewSet(ApiViewSet):
    etiquette = "Équipes"
    lookup_url_kwarg = "equipe_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    @operation(
        _("Équipes"),
        _("Équipes."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        sortie=formes.EquipeDetail,
        liste=True,
        description=format_lazy(
            _(
                "Les actives d'abord, par nom ; {maximum} au plus. Un dossier confié à une équipe n'est lu que par "
                "ses membres ; sans aucune équipe, toutes les personnes qui traitent les signalements lisent tout."
            ),
            maximum=EQUIPES_MAX,
        ),
    )
    def list(self, request: Any) -> Any:
        return self.rendre(Equipe.objects.pour_lecture(self.acteur)[:EQUIPES_MAX])

    @operation(
        _("Définir une équipe"),
        _("Équipe définie."),
        droit=Droit.EQUIPES_GERER,
        entree=formes.EquipeCreate,
        sortie=formes.EquipeDetail,
        statut=201,
        sans_cle=_("un nom n'est porté que par une équipe, la redemander est un 422 qui ne double rien."),
        erreurs=(409,),
        description=format_lazy(
            _(
                "Sans membre encore. Un nom déjà porté : 422 ; au-delà de {maximum}, inactives comprises : 409 "
                "CONFLICT. Écrit au registre."
            ),
            maximum=EQUIPES_MAX,
        ),
    )
    def create(self, request: Any) -> Any:
        equipe = services.creer(acteur=self.acteur, **self.donnees())
        return self.rendre(equipe_connue(self.acteur, equipe.pk))

    @operation(_("Une équipe"), _("Équipe."), droit=Droit.SIGNALEMENTS_TRAITER, sortie=formes.EquipeDetail)
    def retrieve(self, request: Any, equipe_id: str) -> Any:
        return self.rendre(equipe_connue(self.acteur, equipe_id))

    @operation(
        _("Modifier une équipe"),
        _("Équipe modifiée."),
        droit=Droit.EQUIPES_GERER,
        etat="retrieve",
        entree=formes.EquipeUpdate,
        sortie=formes.EquipeDetail,
        description=phrases(
            _(
                "Seuls les champs présents changent. Inactive, personne n'en lit plus les dossiers, et elle n'en "
                "reçoit pas ; de nouveau active, ses membres les relisent. `responsableId` hors de l'équipe : 422."
            ),
            DIT,
        ),
    )
    def update(self, request: Any, equipe_id: str) -> Any:
        equipe = equipe_connue(self.acteur, equipe_id)
        services.modifier(equipe=equipe, acteur=self.acteur, **self.donnees())
        return self.rendre(equipe_connue(self.acteur, equipe.pk))


class MembreViewSet(ApiViewSet):
    """The members of one team."""

    etiquette = "Membres d'équipe"
    lookup_url_kwarg = "membre_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Membres d'une équipe"),
        _("Membres."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        sortie=formes.MembreDetail,
        liste=True,
        description=format_lazy(
            _(
                "Par nom, {maximum} au plus, pour qui en est et pour l'administration ; 403 aux autres. `accepteLe` "
                "null : cette personne s'est ajoutée elle-même, et attend qu'une autre le lui accorde pour lire."
            ),
            maximum=MEMBRES_MAX,
        ),
    )
    def list(self, request: Any, equipe_id: str) -> Any:
        return self.rendre(membres_lisibles(self.acteur, equipe_id))

    @operation(
        _("Ajouter un membre"),
        _("Membre ajouté."),
        droit=Droit.EQUIPES_GERER,
        entree=formes.MembreCreate,
        sortie=formes.MembreDetail,
        statut=201,
        sans_cle=_("on est membre une fois, le redemander est un 409 qui ne double rien."),
        erreurs=(409,),
        description=phrases(
            format_lazy(
                _(
                    "Qui est ajouté par autrui lit aussitôt les dossiers de l'équipe. Qui s'ajoute soi-même, où il y "
                    "en a, attend qu'un membre ou un autre administrateur le lui accorde. Déjà membre, ou au-delà de "
                    "{maximum} : 409 CONFLICT."
                ),
                maximum=MEMBRES_MAX,
            ),
            DIT,
        ),
    )
    def create(self, request: Any, equipe_id: str) -> Any:
        equipe = equipe_connue(self.acteur, equipe_id)
        return self.rendre(services.ajouter(equipe=equipe, acteur=self.acteur, **self.donnees()))

    @operation(
        _("Accorder à un membre de lire"),
        _("Membre accepté."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        sortie=formes.MembreDetail,
        description=phrases(
            _(
                "Par une autre personne que lui : qui lit les dossiers de l'équipe, ou un administrateur ; 403 aux "
                "autres. Déjà accordé : rien ne change."
            ),
            DIT,
        ),
    )
    @action(detail=True, methods=["put"])
    def accord(self, request: Any, equipe_id: str, membre_id: str) -> Any:
        equipe = equipe_connue(self.acteur, equipe_id)
        return self.rendre(services.accorder(equipe=equipe, compte_id=UUID(membre_id), acteur=self.acteur))

    @operation(
        _("Retirer un membre"),
        _("Membre retiré."),
        droit=Droit.SIGNALEMENTS_TRAITER,
        statut=204,
        description=phrases(
            _(
                "Par un administrateur, ou pour soi ; 403 aux autres. Il n'en lit plus rien aussitôt, et ce qu'il "
                "traitait d'ouvert passe à la personne responsable, si elle peut le lire, sinon à personne."
            ),
            DIT,
        ),
    )
    def destroy(self, request: Any, equipe_id: str, membre_id: str) -> Any:
        equipe = equipe_connue(self.acteur, equipe_id)
        services.retirer(equipe=equipe, compte_id=UUID(membre_id), acteur=self.acteur)
        return self.rendre()


class RegleViewSet(ApiViewSet):
    etiquette = "Règles de routage"
    lookup_url_kwarg = "regle_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Règles de routage"),
        _("Règles."),
        droit=Droit.EQUIPES_GERER,
        sortie=formes.RegleDetail,
        liste=True,
        description=format_lazy(
            _(
                "Dans l'ordre où elles sont suivies, {maximum} au plus. Un nouveau dossier suit la première règle "
                "active qui convient à son type et à son `bureauGenreId` ; sans règle, tous le lisent. Aucun dossier "
                "déjà là ne bouge."
            ),
            maximum=REGLES_MAX,
        ),
    )
    def list(self, request: Any) -> Any:
        return self.rendre(RegleDeRoutage.objects.en_ordre()[:REGLES_MAX])

    @operation(
        _("Écrire une règle de routage"),
        _("Règle ajoutée."),
        droit=Droit.EQUIPES_GERER,
        entree=formes.RegleCreate,
        sortie=formes.RegleDetail,
        statut=201,
        relire=lambda acteur, pk: regle_connue(pk),
        description=phrases(
            format_lazy(
                _(
                    "Inactive, sauf à le dire : elle s'essaie d'abord. Une équipe inconnue ou inactive, une personne "
                    "qui n'en lit pas les dossiers : 422 ; au-delà de {maximum} : 409 CONFLICT."
                ),
                maximum=REGLES_MAX,
            ),
            DIT,
        ),
    )
    def create(self, request: Any) -> Any:
        regle = regles.ajouter(acteur=self.acteur, **self.donnees())
        return self.rendre(regle_connue(regle.pk))

    @operation(
        _("Essayer les règles de routage"),
        _("Essai."),
        droit=Droit.EQUIPES_GERER,
        entree=formes.EssaiDeRoutage,
        sortie=formes.EssaiDetail,
        description=_("Sur un exemple : rien n'est écrit, personne n'est prévenu."),
    )
    @action(detail=False, methods=["post"])
    def essai(self, request: Any) -> Any:
        exemple = self.donnees()
        return self.rendre(essayer(exemple["type"], exemple.get("bureau_genre_id", "")))

    @operation(_("Une règle de routage"), _("Règle."), droit=Droit.EQUIPES_GERER, sortie=formes.RegleDetail)
    def retrieve(self, request: Any, regle_id: str) -> Any:
        return self.rendre(regle_connue(regle_id))

    @operation(
        _("Modifier une règle de routage"),
        _("Règle modifiée."),
        droit=Droit.EQUIPES_GERER,
        etat="retrieve",
        entree=formes.RegleUpdate,
        sortie=formes.RegleDetail,
        description=phrases(_("Seuls les champs présents changent ; les dossiers déjà là restent où ils sont."), DIT),
    )
    def update(self, request: Any, regle_id: str) -> Any:
        regle = regle_connue(regle_id)
        regles.modifier(regle=regle, acteur=self.acteur, **self.donnees())
        return self.rendre(regle_connue(regle.pk))

    @operation(
        _("Supprimer une règle de routage"),
        _("Règle supprimée."),
        droit=Droit.EQUIPES_GERER,
        etat="retrieve",
        statut=204,
        description=DIT,
    )
    def destroy(self, request: Any, regle_id: str) -> Any:
        regles.supprimer(regle=regle_connue(regle_id), acteur=self.acteur)
        return self.rendre()
