from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts import serializers as formes
from accounts.filters import CompteFiltre
from accounts.models import Compte
from accounts.permissions import compte_connu, compte_modifiable
from accounts.services import adresses, comptes, second_facteur
from socle.api.champs import MOTIF_UUID
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class CompteViewSet(ApiViewSet):
    etiquette = "Comptes"
    lookup_url_kwarg = "compte_id"
    lookup_value_regex = MOTIF_UUID

    @operation(_("Mon profil"), _("Votre profil."), droit=Droit.COMPTES_CONSULTER_LE_SIEN, sortie=formes.CompteDetail)
    @action(detail=False, methods=["get"])
    def me(self, request: Any) -> Any:
        return self.rendre(self.compte)

    @operation(
        _("Modifier mon profil"),
        _("Profil mis à jour."),
        droit=Droit.COMPTES_MODIFIER_LE_SIEN,
        etat="me",
        entree=formes.CompteUpdate,
        sortie=formes.CompteDetail,
        erreurs=(403, 409),
    )
    @me.mapping.put
    def update_me(self, request: Any) -> Any:
        return self._modifier(self.compte)

    @operation(
        _("Changer mon mot de passe"),
        _("Mot de passe changé."),
        droit=Droit.COMPTES_MODIFIER_LE_SIEN,
        entree=formes.ChangePasswordRequest,
        erreurs=(409,),
        description=_(
            "Les autres sessions du compte se terminent, son abonnement au calendrier aussi ; la personne "
            "l'apprend par e-mail."
        ),
    )
    @action(detail=False, methods=["put"], url_path="me/password")
    def password(self, request: Any) -> Any:
        comptes.changer_mot_de_passe(acteur=self.acteur, **self.donnees())
        return self.rendre()

    @operation(
        _("Créer un compte pour quelqu'un"),
        _("Compte créé."),
        droit=Droit.COMPTES_CREER,
        entree=formes.CompteCreate,
        sortie=formes.CompteDetail,
        statut=201,
        sans_cle=_(
            "une adresse n'a qu'un compte, et la seconde fois est un 409. Rien de ce qui vient d'un mot de passe "
            "n'est gardé."
        ),
        erreurs=(409,),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(comptes.creer(acteur=self.acteur, **self.donnees()))

    @operation(
        _("Lister les comptes"),
        _("Comptes."),
        droit=Droit.COMPTES_LISTER,
        sortie=formes.CompteDetail,
        page=True,
        filtres=CompteFiltre,
    )
    def list(self, request: Any) -> Any:
        return self.paginer(Compte.objects.pour_lecture())

    @operation(
        _("Consulter un compte"),
        _("Compte."),
        droit=Droit.COMPTES_CONSULTER_CARTE,
        sortie=formes.CompteOuCarte,
        sortie_decrite=formes.COMPTE_OU_CARTE,
        description=_("Le compte entier pour soi-même et l'équipe, une carte (id, nom, prenom, rôle) pour autrui."),
    )
    def retrieve(self, request: Any, compte_id: str) -> Any:
        return self.rendre(compte_connu(compte_id))

    @operation(
        _("Modifier un compte"),
        _("Compte mis à jour."),
        droit=Droit.COMPTES_MODIFIER_LE_SIEN,
        etat="retrieve",
        entree=formes.CompteUpdate,
        sortie=formes.CompteDetail,
        erreurs=(403, 409),
        description=_(
            "Le sien, ou tous pour l'administration ; `email` et `typeUtilisateur` : administration seule. "
            "La personne apprend par e-mail ce qu'autrui change de ces deux-là. Une adresse attend d'être confirmée "
            "par le lien qui y part, sept jours (`emailEnAttente`) ; celle d'avant l'apprend aussitôt."
        ),
    )
    def update(self, request: Any, compte_id: str) -> Any:
        return self._modifier(compte_modifiable(self.acteur, compte_id))

    @operation(
        _("Renoncer à la nouvelle adresse d'un compte"),
        _("Adresse en attente retirée."),
        droit=Droit.COMPTES_MODIFIER,
        statut=204,
        erreurs=(409,),
        description=_("Son lien n'ouvre plus rien. 409 où aucune n'attend."),
    )
    @action(detail=True, methods=["delete"], url_path="email-en-attente")
    def email_en_attente(self, request: Any, compte_id: str) -> Any:
        adresses.renoncer(compte=compte_connu(compte_id), acteur=self.acteur)
        return self.rendre()

    @operation(
        _("Imposer un mot de passe"),
        _("Mot de passe changé."),
        droit=Droit.COMPTES_REINITIALISER_MOT_DE_PASSE,
        entree=formes.ResetPasswordAdminRequest,
        erreurs=(409,),
        description=_(
            "Toutes les sessions du compte se terminent, la personne l'apprend par e-mail, le journal le garde. "
            "Préférez le lien de `POST /auth/forgot-password` : elle seule connaît alors son mot de passe."
        ),
    )
    @action(detail=True, methods=["put"], url_path="reset-password")
    def reset_password(self, request: Any, compte_id: str) -> Any:
        comptes.imposer_mot_de_passe(compte=compte_connu(compte_id), acteur=self.acteur, **self.donnees())
        return self.rendre()

    @operation(
        _("Réinitialiser le second facteur de quelqu'un"),
        _("Second facteur réinitialisé."),
        droit=Droit.COMPTES_REINITIALISER_SECOND_FACTEUR,
        statut=204,
        erreurs=(409,),
        description=_(
            "Pour un appareil perdu. Toutes les sessions du compte se terminent, la personne l'apprend par e-mail, le "
            "journal et le registre le gardent. 409 pour le sien, et où il n'y en a pas."
        ),
    )
    @action(detail=True, methods=["delete"], url_path="second-facteur")
    def second_facteur(self, request: Any, compte_id: str) -> Any:
        second_facteur.reinitialiser(compte=compte_connu(compte_id), acteur=self.acteur)
        return self.rendre()

    @operation(
        _("Désactiver un compte"),
        _("Compte désactivé."),
        droit=Droit.COMPTES_ACTIVER,
        erreurs=(409,),
        description=_("Termine ses sessions, ses sockets et son abonnement au calendrier."),
    )
    @action(detail=True, methods=["put"])
    def deactivate(self, request: Any, compte_id: str) -> Any:
        comptes.desactiver(compte=compte_connu(compte_id), acteur=self.acteur)
        return self.rendre()

    @operation(
        _("Réactiver un compte"),
        _("Compte réactivé."),
        droit=Droit.COMPTES_ACTIVER,
        erreurs=(409,),
        description=_("409 pour un compte effacé : rien ne le rouvre."),
    )
    @action(detail=True, methods=["put"])
    def reactivate(self, request: Any, compte_id: str) -> Any:
        comptes.reactiver(compte=compte_connu(compte_id), acteur=self.acteur)
        return self.rendre()

    def _modifier(self, compte: Any) -> Any:
        comptes.exiger_champs_permis(compte=compte, acteur=self.acteur, recus=dict(self.request.data))
        comptes.modifier(compte=compte, acteur=self.acteur, **self.donnees())
        return self.rendre(compte)
