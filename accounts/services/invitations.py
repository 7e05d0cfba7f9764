from typing import Any

from django.conf import settings
from django.contrib.admin.models import ADDITION
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.erreurs import InvitationClose
from accounts.journal import noter
from accounts.models import Compte, Invitation, Preferences, invitation_du_jeton
from accounts.services import adresses, comptes
from accounts.tasks import envoyer_invitation
from accounts.vocabulaire import StatutInvitation
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.adresses import canonique
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.identite import masquer_ecrits
from socle.erreurs import ChampsInvalides, Conflit, Details, detail
from socle.idempotence.creation import creation

INVITEE = gettext_lazy(
    "Cette adresse a reçu une invitation : ouvrez le lien de cet e-mail, ou demandez à l'administration de le renvoyer."
)


@creation
def inviter(*, email: str, type_utilisateur: str, par: Compte, mot: str = "") -> Invitation:
    """Create and mail an invitation; close an earlier PENDING one of the address; 409 where it has an account."""
    adresses.exiger_libre(email)
    _clore_la_precedente(email, par)
    invitation = Invitation(
        email=email,
        type_utilisateur=type_utilisateur,
        invitee_par=par,
        mot=mot,
        expire_le=timezone.now() + settings.INVITATION_LIFETIME,
        langue=_langue(par),
    )
    masquer_ecrits(invitation)
    try:
        with transaction.atomic():
            invitation.save(force_insert=True)
    except IntegrityError as simultanee:
        raise Conflit(_("Cette adresse vient d'être invitée.")) from simultanee
    noter(invitation, {"type_utilisateur": (None, invitation.role)}, par=par, acte=ADDITION)
    _consigner(Acte.INVITATION_ENVOYEE, invitation, par)
    envoyer_invitation.enqueue(str(invitation.pk))
    return invitation


@transaction.atomic
def renvoyer(*, invitation: Invitation, par: Compte) -> None:
    """Mail it again with a new date and number, which voids the earlier link; 409 once it is closed."""
    invitation.verrouiller()
    if invitation.statut != StatutInvitation.PENDING:
        raise InvitationClose
    adresses.exiger_libre(invitation.email)
    invitation.envoi += 1
    invitation.expire_le = timezone.now() + settings.INVITATION_LIFETIME
    invitation.langue = _langue(par)
    invitation.enregistrer("envoi", "expire_le", "langue")
    noter(invitation, {"envoi": (invitation.envoi - 1, invitation.envoi)}, par=par)
    _consigner(Acte.INVITATION_ENVOYEE, invitation, par)
    envoyer_invitation.enqueue(str(invitation.pk))


@transaction.atomic
def revoquer(*, invitation: Invitation, par: Compte) -> None:
    """Set REVOKED, which voids the link; idempotent; 409 where it is otherwise closed."""
    invitation.verrouiller()
    if invitation.statut == StatutInvitation.REVOKED:
        return
    if invitation.statut != StatutInvitation.PENDING:
        raise InvitationClose
    _clore(invitation, StatutInvitation.REVOKED, par)
    _consigner(Acte.INVITATION_REVOQUEE, invitation, par)


@transaction.atomic
def inscrire(*, email: str, mot_de_passe: str, invitation_token: str | None = None, **champs: Any) -> Compte:
    """Signup: a UTILISATEUR, or the invited role where the token is good; only the token gives a role."""
    invitation = invitation_valable(invitation_token, verrou=True) if invitation_token else None
    champs = {"email": email, "mot_de_passe": mot_de_passe, **champs}
    ChampsInvalides.exiger_aucun(
        [*_refus_d_adresse(email, invitation_token, invitation), *comptes.refus_de_creation(**champs)]
    )
    if invitation is not None:
        return _accepter(invitation, **champs)
    compte = comptes.creer(**champs)
    # An invited address needs the token, which proves the mailbox: anybody else would take the invited person's place.
    # Checked last, and the insert rolled back: a bad password or a taken address is said first, as without invitation.
    if Invitation.objects.en_attente().ouvertes_pour(email).exists():
        raise ChampsInvalides.pour("invited", email=INVITEE)
    return compte


def refus_d_inscription(*, email: str = "", invitation_token: str | None = None, **champs: Any) -> Details:
    """List the refusals of a signup, except a taken address; callable with only the valid fields of a faulty form."""
    invitation = invitation_valable(invitation_token) if invitation_token else None
    return [
        *_refus_d_adresse(email, invitation_token, invitation),
        *comptes.refus_de_creation(email=email, **champs),
    ]


def _refus_d_adresse(email: str, jeton: str | None, invitation: Invitation | None) -> Details:
    """List the refusals of token, address and domain; an empty address is not judged."""
    if jeton and invitation is None:
        return [detail("invitationToken", _("Cette invitation n'est plus valable. Demandez-en une nouvelle."))]
    if invitation is not None:
        texte = _("Utilisez l'adresse à laquelle l'invitation a été envoyée.")
        return [detail("email", texte, "mismatch")] if email and email != invitation.email else []
    if settings.SIGNUP_INVITATION_ONLY:
        texte = _("L'inscription se fait sur invitation : utilisez le lien reçu par e-mail.")
        return [detail("invitationToken", texte, "required")]
    if email and settings.SIGNUP_EMAIL_DOMAINS and not _est_du_campus(email):
        texte = _("Utilisez votre adresse du campus (%(domaines)s).")
        return [detail("email", texte % {"domaines": ", ".join(settings.SIGNUP_EMAIL_DOMAINS)}, "domain")]
    return []


def _est_du_campus(email: str) -> bool:
    """True for an address of the campus, however its domain was set: `münchen.example` is `xn--mnchen-3ya.example`."""
    domaine = email.rpartition("@")[2]
    return f"@{domaine}" in [canonique(f"@{un}") for un in settings.SIGNUP_EMAIL_DOMAINS]


def _accepter(invitation: Invitation, **champs: Any) -> Compte:
    compte = comptes.creer(type_utilisateur=invitation.role, email_verifie=True, **champs)
    invitation.statut = StatutInvitation.ACCEPTED
    invitation.acceptee_par = compte
    invitation.enregistrer("statut", "acceptee_par")
    if a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        details = {"role": compte.role, "invitation": str(invitation.pk)}
        consigner(Acte.COMPTE_CREE, par=compte, objet=compte.pk, sorte=Sorte.COMPTE, **details)
    return compte


def invitation_valable(jeton: str, *, verrou: bool = False) -> Invitation | None:
    """The invitation that this mailed token still opens, or None; `verrou` locks its row."""
    lu = invitation_du_jeton(jeton)
    if lu is None:
        return None
    invitations = Invitation.objects.select_for_update() if verrou else Invitation.objects
    return invitations.en_attente().filter(pk=lu[0], envoi=lu[1]).first()


def _langue(par: Compte) -> str:
    """Language code: the account's stored choice, else that of the request."""
    return Preferences.langue_de(par) or get_language() or settings.LANGUAGE_CODE


def _clore_la_precedente(email: str, par: Compte) -> None:
    """Close the PENDING invitation of this address, if any: EXPIRED past its date, else REVOKED."""
    precedente = Invitation.objects.select_for_update().ouvertes_pour(email).first()
    if precedente is not None:
        est_expiree = precedente.statut_montre == StatutInvitation.EXPIRED
        _clore(precedente, StatutInvitation.EXPIRED if est_expiree else StatutInvitation.REVOKED, par)


def _consigner(acte: Acte, invitation: Invitation, par: Compte) -> None:
    consigner(acte, par=par, objet=invitation.pk, sorte=Sorte.INVITATION, role=invitation.role)


def _clore(invitation: Invitation, statut: str, par: Compte) -> None:
    ancien, invitation.statut = invitation.statut, statut
    invitation.enregistrer("statut")
    noter(invitation, {"statut": (ancien, statut)}, par=par)
