from django.utils.translation import gettext_lazy as _

from socle.domaine.erreurs import Conflit, Introuvable, NonAuthentifie, PermissionRefusee


class IdentifiantsInvalides(NonAuthentifie):
    code = "INVALID_CREDENTIALS"
    message = _("E-mail ou mot de passe incorrect.")


class CompteDesactive(PermissionRefusee):
    code = "ACCOUNT_DISABLED"
    message = _("Ce compte est désactivé. Contactez l'administration du campus.")


class CourrielDejaUtilise(Conflit):
    code = "EMAIL_ALREADY_USED"
    message = _("Un compte existe déjà avec cette adresse e-mail.")


class DernierAdmin(Conflit):
    code = "LAST_ADMIN"
    message = _("C'est le dernier administrateur actif : nommez-en un autre d'abord.")


class AutoDesactivation(Conflit):
    message = _("Vous ne pouvez pas désactiver votre propre compte.")


class CompteInactif(Conflit):
    message = _("Ce compte est désactivé : réactivez-le d'abord.")


class InvitationClose(Conflit):
    message = _("Cette invitation n'est plus en attente.")


class CompteIntrouvable(Introuvable):
    message = _("Compte introuvable.")
