from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts import serializers as formes
from accounts.filters import CompteFiltre, InvitationFiltre
from accounts.models import Compte, Invitation
from accounts.permissions import compte_connu, compte_modifiable, invitation_connue
from accounts.services import comptes, invitations, oublis, sessions
from config.api.champs import MOTIF_UUID
from config.api.operations import Acces, Operation
from config.api.reseau import cle_adresse
from config.api.throttling import consommer
from config.api.viewsets import ApiViewSet
from config.domaine.erreurs import Introuvable
from config.domaine.roles import DESCRIPTIONS, DROITS, Role


class AuthViewSet(ApiViewSet):
    etiquette = "Authentification"
    operations = {
        "signup": Operation(
            "Créer un compte",
            _("Compte créé."),
            acces=Acces.PUBLIC,
            entree=formes.SignupRequest,
            sortie=formes.CompteDetail,
            statut=201,
            limites=("signup",),
            erreurs=(409,),
            description="Crée un UTILISATEUR ; un `invitationToken` valable donne le rôle invité. Ne connecte pas.",
        ),
        "login": Operation(
            "Se connecter",
            _("Connexion réussie."),
            acces=Acces.PUBLIC,
            entree=formes.LoginRequest,
            sortie=formes.LoginResponse,
            erreurs=(401, 403),
        ),
        "logout": Operation("Se déconnecter", _("Vous êtes déconnecté.")),
        "refresh": Operation(
            "Renouveler la session",
            _("Session renouvelée."),
            acces=Acces.PUBLIC,
            entree=formes.RefreshRequest,
            sortie=formes.LoginResponse,
            erreurs=(401,),
            description="Le jeton présenté est dépensé : remplacez `token`, `refreshToken` et `sessionId` ensemble.",
        ),
        "validate": Operation("Vérifier le jeton", _("Jeton valable."), sortie=formes.Validation),
        "forgot_password": Operation(
            "Demander un nouveau mot de passe",
            _("Si un compte existe à cette adresse, un e-mail vient de partir."),
            acces=Acces.PUBLIC,
            entree=formes.ForgotPasswordRequest,
            limites=("forgot_password_address",),
        ),
        "reset_password": Operation(
            "Choisir un nouveau mot de passe",
            _("Mot de passe changé. Vous pouvez vous connecter."),
            acces=Acces.PUBLIC,
            entree=formes.ResetPasswordRequest,
            description="Avec le jeton du lien reçu par e-mail ; il sert une fois. Toutes les sessions se terminent.",
        ),
    }

    @action(detail=False, methods=["post"])
    def signup(self, request: Any) -> Any:
        return self.rendre(invitations.inscrire(**self.donnees()))

    @action(detail=False, methods=["post"])
    def login(self, request: Any) -> Any:
        return self.rendre(sessions.connecter(adresse=cle_adresse(request._request), **self.donnees()))

    @action(detail=False, methods=["post"])
    def logout(self, request: Any) -> Any:
        sessions.deconnecter(acteur=self.acteur)
        return self.rendre()

    @action(detail=False, methods=["post"])
    def refresh(self, request: Any) -> Any:
        return self.rendre(sessions.renouveler(jeton=self.donnees()["refresh_token"]))

    @action(detail=False, methods=["get"])
    def validate(self, request: Any) -> Any:
        return self.rendre(self.compte)

    @action(detail=False, methods=["post"], url_path="forgot-password")
    def forgot_password(self, request: Any) -> Any:
        email = self.donnees()["email"]
        consommer("forgot_password_account", email)
        oublis.demander(email=email)
        return self.rendre()

    @action(detail=False, methods=["post"], url_path="reset-password")
    def reset_password(self, request: Any) -> Any:
        oublis.reinitialiser(**self.donnees())
        return self.rendre()


class CompteViewSet(ApiViewSet):
    etiquette = "Comptes"
    lookup_url_kwarg = "compte_id"
    lookup_value_regex = MOTIF_UUID
    operations = {
        "me": Operation("Mon profil", _("Votre profil."), sortie=formes.CompteDetail),
        "update_me": Operation(
            "Modifier mon profil",
            _("Profil mis à jour."),
            entree=formes.CompteUpdate,
            sortie=formes.CompteDetail,
            erreurs=(403, 409),
        ),
        "password": Operation(
            "Changer mon mot de passe",
            _("Mot de passe changé."),
            entree=formes.ChangePasswordRequest,
            description="Les autres sessions du compte se terminent.",
        ),
        "create": Operation(
            "Créer un compte pour quelqu'un",
            _("Compte créé."),
            droit="comptes.creer",
            entree=formes.CompteCreate,
            sortie=formes.CompteDetail,
            statut=201,
            erreurs=(409,),
        ),
        "list": Operation(
            "Lister les comptes",
            _("Comptes."),
            droit="comptes.lister",
            sortie=formes.CompteDetail,
            page=True,
            filtres=CompteFiltre,
        ),
        "retrieve": Operation(
            "Consulter un compte",
            _("Compte."),
            sortie=formes.CompteOuCarte,
            sortie_decrite=formes.COMPTE_OU_CARTE,
            description="Le compte entier pour soi-même et l'équipe, une carte (id, nom, prenom, rôle) pour autrui.",
        ),
        "update": Operation(
            "Modifier un compte",
            _("Compte mis à jour."),
            entree=formes.CompteUpdate,
            sortie=formes.CompteDetail,
            erreurs=(403, 409),
            description="Le sien, ou tous pour l'administration ; `email` et `typeUtilisateur` : administration seule.",
        ),
        "reset_password": Operation(
            "Imposer un mot de passe",
            _("Mot de passe changé."),
            droit="comptes.reinitialiser_mot_de_passe",
            entree=formes.ResetPasswordAdminRequest,
            description="Toutes les sessions du compte se terminent.",
        ),
        "deactivate": Operation(
            "Désactiver un compte",
            _("Compte désactivé."),
            droit="comptes.activer",
            erreurs=(409,),
            description="Termine ses sessions et ses sockets.",
        ),
        "reactivate": Operation("Réactiver un compte", _("Compte réactivé."), droit="comptes.activer"),
    }

    @action(detail=False, methods=["get"])
    def me(self, request: Any) -> Any:
        return self.rendre(self.compte)

    @me.mapping.put
    def update_me(self, request: Any) -> Any:
        return self._modifier(self.compte)

    @action(detail=False, methods=["put"], url_path="me/password")
    def password(self, request: Any) -> Any:
        comptes.changer_mot_de_passe(acteur=self.acteur, **self.donnees())
        return self.rendre()

    def create(self, request: Any) -> Any:
        return self.rendre(comptes.creer(**self.donnees()))

    def list(self, request: Any) -> Any:
        return self.paginer(Compte.objects.pour_lecture())

    def retrieve(self, request: Any, compte_id: str) -> Any:
        return self.rendre(compte_connu(compte_id))

    def update(self, request: Any, compte_id: str) -> Any:
        return self._modifier(compte_modifiable(self.acteur, compte_id))

    @action(detail=True, methods=["put"], url_path="reset-password")
    def reset_password(self, request: Any, compte_id: str) -> Any:
        comptes.imposer_mot_de_passe(compte=compte_connu(compte_id), **self.donnees())
        return self.rendre()

    @action(detail=True, methods=["put"])
    def deactivate(self, request: Any, compte_id: str) -> Any:
        comptes.desactiver(compte=compte_connu(compte_id), acteur=self.acteur)
        return self.rendre()

    @action(detail=True, methods=["put"])
    def reactivate(self, request: Any, compte_id: str) -> Any:
        comptes.reactiver(compte=compte_connu(compte_id))
        return self.rendre()

    def _modifier(self, compte: Any) -> Any:
        comptes.modifier(compte=compte, acteur=self.acteur, **self.donnees())
        return self.rendre(compte)


class InvitationViewSet(ApiViewSet):
    etiquette = "Invitations"
    lookup_url_kwarg = "invitation_id"
    lookup_value_regex = MOTIF_UUID
    operations = {
        "create": Operation(
            "Inviter",
            _("Invitation envoyée."),
            droit="invitations.gerer",
            entree=formes.InvitationCreate,
            sortie=formes.InvitationDetail,
            statut=201,
            erreurs=(409,),
            description="Révoque l'invitation en attente de la même adresse.",
        ),
        "list": Operation(
            "Lister les invitations",
            _("Invitations."),
            droit="invitations.gerer",
            sortie=formes.InvitationDetail,
            page=True,
            filtres=InvitationFiltre,
        ),
        "destroy": Operation(
            "Révoquer une invitation", _("Invitation révoquée."), droit="invitations.gerer", statut=204, erreurs=(409,)
        ),
        "renvoyer": Operation(
            "Renvoyer une invitation",
            _("Invitation renvoyée."),
            droit="invitations.gerer",
            sortie=formes.InvitationDetail,
            erreurs=(409,),
            description="Avec une nouvelle date ; le lien précédent ne vaut plus.",
        ),
    }

    def create(self, request: Any) -> Any:
        return self.rendre(invitations.inviter(par=self.compte, **self.donnees()))

    def list(self, request: Any) -> Any:
        return self.paginer(Invitation.objects.pour_lecture())

    def destroy(self, request: Any, invitation_id: str) -> Any:
        invitations.revoquer(invitation=invitation_connue(invitation_id))
        return self.rendre()

    @action(detail=True, methods=["post"])
    def renvoyer(self, request: Any, invitation_id: str) -> Any:
        invitation = invitation_connue(invitation_id)
        invitations.renvoyer(invitation=invitation)
        return self.rendre(invitation)


class PreferencesViewSet(ApiViewSet):
    etiquette = "Préférences"
    operations = {
        "list": Operation("Mes préférences", _("Vos préférences."), sortie=formes.PreferencesDetail),
        "replace": Operation(
            "Modifier mes préférences",
            _("Préférences mises à jour."),
            droit="preferences.modifier",
            entree=formes.PreferenceUpdate,
            sortie=formes.PreferencesDetail,
        ),
    }

    def list(self, request: Any) -> Any:
        return self.rendre(comptes.preferences_de(self.compte))

    def replace(self, request: Any) -> Any:
        return self.rendre(comptes.modifier_preferences(compte=self.compte, **self.donnees()))


class RoleViewSet(ApiViewSet):
    etiquette = "Rôles"
    lookup_url_kwarg = "nom"
    lookup_value_regex = "[^/]+"
    operations = {
        "list": Operation(
            "Lister les rôles", _("Rôles."), droit="roles.consulter", sortie=formes.RoleDetail, liste=True
        ),
        "permissions": Operation(
            "Droits d'un rôle", _("Droits du rôle."), droit="roles.consulter", sortie=formes.RolePermissions
        ),
    }

    def list(self, request: Any) -> Any:
        return self.rendre([{"nom": r, "libelle": r.label, "description": DESCRIPTIONS[r]} for r in Role])

    @action(detail=True, methods=["get"])
    def permissions(self, request: Any, nom: str) -> Any:
        if nom not in DROITS:
            raise Introuvable
        return self.rendre({"role": nom, "permissions": sorted(DROITS[nom])})
