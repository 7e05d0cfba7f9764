from django.utils.translation import gettext_lazy as _

from config.domaine.erreurs import Conflit, Introuvable, PermissionRefusee


class SessionIntrouvable(Introuvable):
    code = "GUEST_SESSION_NOT_FOUND"
    message = _("GUEST_SESSION_NOT_FOUND: cette session invitée n'existe pas. Ouvrez-en une nouvelle.")


class SessionInvalide(PermissionRefusee):
    code = "GUEST_SESSION_INVALID"
    message = _("GUEST_SESSION_INVALID: cette session invitée a été désactivée. Contactez l'équipe du campus.")


class IdentifiantMalforme(SessionInvalide):
    message = _("GUEST_SESSION_INVALID: X-Guest-Id doit être l'identifiant reçu à l'ouverture de la session.")


class SessionFusionnee(Conflit):
    code = "GUEST_SESSION_MERGED"
    message = _("GUEST_SESSION_MERGED: cette session est déjà rattachée à un compte. Connectez-vous pour continuer.")


class ModeInviteFerme(PermissionRefusee):
    code = "GUEST_MODE_DISABLED"
    message = _("GUEST_MODE_DISABLED: cette fonction du mode invité n'est pas ouverte. Connectez-vous pour continuer.")
