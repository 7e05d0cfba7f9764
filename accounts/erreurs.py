from django.utils.translation import gettext_lazy as _

from socle.erreurs import Conflit, Introuvable, NonAuthentifie, PermissionRefusee


class IdentifiantsInvalides(NonAuthentifie):
    code = "INVALID_CREDENTIALS"
    message = _("E-mail ou mot de passe incorrect.")


class MailsNonRemis(Conflit):
    code = "MAILS_NON_REMIS"
    message = _("MAILS_NON_REMIS: aucun e-mail ne part de ce service pour le moment. Rien n'a été gardé.")


class CodeExige(NonAuthentifie):
    code = "OTP_REQUIRED"
    message = _("Un code est demandé : celui de votre application, ou un code de secours.")


class CodeInvalide(NonAuthentifie):
    code = "OTP_INVALID"
    message = _("Ce code n'est pas le bon, ou il a déjà servi.")


class CodeDecale(CodeInvalide):
    """A code that the application showed a minute ago, or will in a minute; `pas` is its time step."""

    message = _(
        "L'heure de votre téléphone n'est pas juste : réglez-la sur « automatique », attendez deux minutes, puis "
        "écrivez le code affiché."
    )

    def __init__(self, pas: int) -> None:
        super().__init__()
        self.pas = pas


class EnrolementExige(PermissionRefusee):
    code = "OTP_ENROLMENT_REQUIRED"
    message = _(
        "La connexion en deux étapes est demandée à l'équipe : activez-la dans un navigateur, à l'adresse /equipe/."
    )


class CompteDesactive(PermissionRefusee):
    code = "ACCOUNT_DISABLED"
    message = _("Ce compte est désactivé. Contactez l'administration du campus.")


class CourrielDejaUtilise(Conflit):
    code = "EMAIL_ALREADY_USED"
    message = _("Un compte existe déjà avec cette adresse e-mail.")


class DejaInscrit(CourrielDejaUtilise):
    """Said to whoever signs up; who makes an account for somebody, or changes an address, has nothing to sign in to."""

    message = _("Un compte existe déjà avec cette adresse e-mail. Connectez-vous, ou demandez un autre mot de passe.")


class DernierAdmin(Conflit):
    code = "LAST_ADMIN"
    message = _("C'est le dernier administrateur actif : nommez-en un autre d'abord.")


class AutoDesactivation(Conflit):
    message = _("Vous ne pouvez pas désactiver votre propre compte.")


class TientEncore(Conflit):
    message = _("Des dossiers ouverts sont à son nom : confiez-les d'abord, de sa page à « Équipe ».")


class CompteInactif(Conflit):
    message = _("Ce compte est désactivé : réactivez-le d'abord.")


class CompteEfface(Conflit):
    message = _("Ce compte a été effacé : rien ne le rouvre.")


class AucuneAdresseDemandee(Conflit):
    message = _("Aucune nouvelle adresse n'attend d'être confirmée pour ce compte.")


class InvitationClose(Conflit):
    message = _("Cette invitation n'est plus en attente.")


class SansSecondFacteur(Conflit):
    message = _("Ce compte n'a pas de connexion en deux étapes.")


class DejaUnSecondFacteur(Conflit):
    message = _("La connexion en deux étapes est déjà active : retirez-la d'abord.")


class EnrolementNonCommence(Conflit):
    message = _("Commencez par demander un secret pour votre application.")


class SonPropreSecondFacteur(Conflit):
    message = _("La vôtre se retire avec votre mot de passe et un code, dans l'espace de l'équipe.")


class CompteIntrouvable(Introuvable):
    message = _("Compte introuvable.")
