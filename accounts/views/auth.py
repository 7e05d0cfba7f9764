from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts import serializers as formes
from accounts.services import invitations, mot_de_passe_oublie, sessions
from socle.api.operations import Acces, operation
from socle.api.reseau import agent_de, cle_adresse
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class AuthViewSet(ApiViewSet):
    etiquette = "Authentification"

    @operation(
        _("Créer un compte"),
        _("Compte créé."),
        acces=Acces.PUBLIC,
        entree=formes.SignupRequest,
        sortie=formes.CompteDetail,
        statut=201,
        sans_cle=_("personne n'est encore connu. La même adresse, de nouveau, est un 409."),
        limites=("signup",),
        erreurs=(409,),
        description=_(
            "Crée un UTILISATEUR ; un `invitationToken` valable donne le rôle invité. Ne connecte pas. "
            "Une adresse qui a une invitation en attente la demande : 422 `invited` sur `email`."
        ),
    )
    @action(detail=False, methods=["post"])
    def signup(self, request: Any) -> Any:
        return self.rendre(invitations.inscrire(**self.donnees()))

    @operation(
        _("Se connecter"),
        _("Connexion réussie."),
        acces=Acces.PUBLIC,
        entree=formes.LoginRequest,
        sortie=formes.LoginResponse,
        erreurs=(401, 403),
        description=_(
            "Un compte qui a un second facteur reçoit 401 `OTP_REQUIRED` après un bon mot de passe : recommencez avec "
            "`otp`. Un code faux ou déjà pris : 401 `OTP_INVALID`. 403 `OTP_ENROLMENT_REQUIRED` : l'équipe doit "
            "d'abord activer le sien dans un navigateur, à `/equipe/`. L'équipe apprend par e-mail qu'un appareil "
            "nouveau (`appareil` et `User-Agent`, sous ce mot de passe) est entré."
        ),
    )
    @action(detail=False, methods=["post"])
    def login(self, request: Any) -> Any:
        ou = {"adresse": cle_adresse(self.requete), "agent": agent_de(self.requete)}
        return self.rendre(sessions.connecter(**ou, **self.donnees()))

    @operation(_("Se déconnecter"), _("Votre session est fermée."), droit=Droit.SESSIONS_TENIR)
    @action(detail=False, methods=["post"])
    def logout(self, request: Any) -> Any:
        sessions.deconnecter(acteur=self.acteur)
        return self.rendre()

    @operation(
        _("Renouveler la session"),
        _("Session renouvelée."),
        acces=Acces.PUBLIC,
        entree=formes.RefreshRequest,
        sortie=formes.LoginResponse,
        erreurs=(401, 403),
        description=_("Le jeton présenté est dépensé : remplacez `token`, `refreshToken` et `sessionId` ensemble."),
    )
    @action(detail=False, methods=["post"])
    def refresh(self, request: Any) -> Any:
        return self.rendre(sessions.renouveler(jeton=self.donnees()["refresh_token"]))

    @operation(_("Vérifier le jeton"), _("Jeton valable."), droit=Droit.SESSIONS_TENIR, sortie=formes.Validation)
    @action(detail=False, methods=["get"])
    def validate(self, request: Any) -> Any:
        return self.rendre(self.compte)

    @operation(
        _("Demander un nouveau mot de passe"),
        _("Si un compte existe à cette adresse, un e-mail vient de partir."),
        acces=Acces.PUBLIC,
        entree=formes.ForgotPasswordRequest,
        limites=("forgot_password_address",),
        description=_("Toujours la même réponse. Deux demandes en vingt secondes font un seul courriel."),
    )
    @action(detail=False, methods=["post"], url_path="forgot-password")
    def forgot_password(self, request: Any) -> Any:
        mot_de_passe_oublie.demander(**self.donnees())
        return self.rendre()

    @operation(
        _("Choisir un nouveau mot de passe"),
        _("Mot de passe changé. Vous pouvez vous connecter."),
        acces=Acces.PUBLIC,
        entree=formes.ResetPasswordRequest,
        description=_("Avec le jeton du lien reçu par e-mail ; il sert une fois. Toutes les sessions se terminent."),
    )
    @action(detail=False, methods=["post"], url_path="reset-password")
    def reset_password(self, request: Any) -> Any:
        mot_de_passe_oublie.reinitialiser(**self.donnees())
        return self.rendre()
