from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.erreurs import CourrielDejaUtilise, InvitationClose
from accounts.models import Compte, Invitation, invitation_du_jeton
from accounts.services import comptes
from accounts.taches import envoyer_invitation
from accounts.vocabulaire import StatutInvitation
from config.domaine.erreurs import ChampsInvalides, Conflit


@transaction.atomic
def inviter(*, email: str, type_utilisateur: str, par: Compte) -> Invitation:
    """Revokes an earlier PENDING one of the address; 409 where it has an account."""
    if Compte.objects.filter(email=email).exists():
        raise CourrielDejaUtilise
    _clore_les_precedentes(email)
    try:
        with transaction.atomic():
            invitation = Invitation.objects.create(
                email=email,
                type_utilisateur=type_utilisateur,
                invitee_par=par,
                expire_le=timezone.now() + settings.INVITATION_LIFETIME,
            )
    except IntegrityError as simultanee:
        raise Conflit(_("Cette adresse vient d'être invitée.")) from simultanee
    envoyer_invitation.enqueue(str(invitation.pk))
    return invitation


@transaction.atomic
def renvoyer(*, invitation: Invitation) -> None:
    """Mail it again with a new date; the earlier link is void."""
    invitation.verrouiller()
    if invitation.statut != StatutInvitation.PENDING:
        raise InvitationClose
    if Compte.objects.filter(email=invitation.email).exists():
        raise CourrielDejaUtilise
    invitation.envoi += 1
    invitation.expire_le = timezone.now() + settings.INVITATION_LIFETIME
    invitation.enregistrer("envoi", "expire_le")
    envoyer_invitation.enqueue(str(invitation.pk))


@transaction.atomic
def revoquer(*, invitation: Invitation) -> None:
    invitation.verrouiller()
    if invitation.statut == StatutInvitation.REVOKED:
        return
    if invitation.statut != StatutInvitation.PENDING:
        raise InvitationClose
    invitation.statut = StatutInvitation.REVOKED
    invitation.enregistrer("statut")


@transaction.atomic
def inscrire(*, email: str, mot_de_passe: str, invitation_token: str | None = None, **champs: Any) -> Compte:
    """Signup: a UTILISATEUR, or the invited role where the token is good; only the token gives a role."""
    if invitation_token:
        return _inscrire_invitee(invitation_token, email=email, mot_de_passe=mot_de_passe, **champs)
    if settings.SIGNUP_INVITATION_ONLY:
        raise ChampsInvalides.pour(
            "required", invitationToken=_("L'inscription se fait sur invitation : utilisez le lien reçu par e-mail.")
        )
    domaine = email.rpartition("@")[2]
    if settings.SIGNUP_EMAIL_DOMAINS and domaine not in settings.SIGNUP_EMAIL_DOMAINS:
        admis = ", ".join(settings.SIGNUP_EMAIL_DOMAINS)
        raise ChampsInvalides.pour(
            "domain", email=_("Utilisez votre adresse du campus (%(domaines)s).") % {"domaines": admis}
        )
    return comptes.creer(email=email, mot_de_passe=mot_de_passe, **champs)


def _inscrire_invitee(jeton: str, *, email: str, **champs: Any) -> Compte:
    invitation = invitation_valable(jeton, verrou=True)
    if invitation is None:
        raise ChampsInvalides.pour(
            "invalid", invitationToken=_("Cette invitation n'est plus valable. Demandez-en une nouvelle.")
        )
    if invitation.email != email:
        raise ChampsInvalides.pour("mismatch", email=_("Utilisez l'adresse à laquelle l'invitation a été envoyée."))
    compte = comptes.creer(email=email, type_utilisateur=invitation.role, **champs)
    invitation.statut = StatutInvitation.ACCEPTED
    invitation.acceptee_par = compte
    invitation.enregistrer("statut", "acceptee_par")
    return compte


def invitation_valable(jeton: str, *, verrou: bool = False) -> Invitation | None:
    """The invitation that this mailed token still opens."""
    lu = invitation_du_jeton(jeton)
    if lu is None:
        return None
    invitations = Invitation.objects.select_for_update() if verrou else Invitation.objects
    return invitations.en_attente().filter(pk=lu[0], envoi=lu[1]).first()


def _clore_les_precedentes(email: str) -> None:
    precedentes = Invitation.objects.filter(email=email, statut=StatutInvitation.PENDING)
    maintenant = timezone.now()
    precedentes.filter(expire_le__lte=maintenant).update(statut=StatutInvitation.EXPIRED, date_modification=maintenant)
    precedentes.update(statut=StatutInvitation.REVOKED, date_modification=maintenant)
