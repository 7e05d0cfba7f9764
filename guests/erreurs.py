from django.utils.translation import gettext_lazy as _

from socle.erreurs import CleReutilisee, Conflit, Introuvable, PermissionRefusee, RequeteMalformee


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


class SessionRattachee(Conflit):
    message = _("Cette session est rattachée à un compte : elle n'ouvre plus rien.")


class SessionEffacee(Conflit):
    message = _("La personne de cette session a été effacée : rien ne la rouvre.")


class SansSessionInvitee(Conflit):
    message = _("Aucune session invitée n'est derrière ce dossier.")


class ModeInviteFerme(PermissionRefusee):
    code = "GUEST_MODE_DISABLED"
    message = _("GUEST_MODE_DISABLED: cette fonction du mode invité n'est pas ouverte. Connectez-vous pour continuer.")


class CleRequise(RequeteMalformee):
    code = "IDEMPOTENCY_KEY_REQUIRED"
    message = _(
        "IDEMPOTENCY_KEY_REQUIRED: envoyez l'en-tête Idempotency-Key, de 1 à 255 caractères imprimables, "
        "propre à cette fusion."
    )


class CleDUneAutreFusion(CleReutilisee):
    message = _("Cette Idempotency-Key a déjà servi pour une autre fusion. Choisissez-en une nouvelle.")


class ConflitDeFusion(Conflit):
    code = "GUEST_MERGE_CONFLICT"
    message = _("GUEST_MERGE_CONFLICT: dites pour chaque conflit ce qui doit en advenir, puis envoyez de nouveau.")


class TropDeConflits(ConflitDeFusion):
    message = _(
        "GUEST_MERGE_CONFLICT: trop d'éléments se ressemblent pour être réglés un par un. Envoyez MERGE_ALL : ceux qui "
        "ne sont pas nommés dans l'aperçu resteront séparés, et rien ne sera perdu."
    )


class PlanChange(ConflitDeFusion):
    message = _("GUEST_MERGE_CONFLICT: les conflits ont changé depuis l'aperçu. Relisez-les avant de fusionner.")


class FichiersPartages(ConflitDeFusion):
    message = _(
        "GUEST_MERGE_CONFLICT: un fichier de ces dossiers est aussi joint ailleurs, il ferait le lien avec le dossier "
        "anonyme. Gardez les deux dossiers (SKIP)."
    )


class FusionAnnulee(Conflit):
    message = _("Cette fusion a été annulée par l'équipe technique. Recommencez avec une nouvelle Idempotency-Key.")
