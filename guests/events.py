from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from guests.models import SessionInvitee
from guests.signals import fusion_reprise, session_desactivee, session_fusionnee, statut_decide
from guests.vocabulaire import StatutInvite
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.langue import en_francais
from socle.realtime.diffusion import fermer_sockets, publier


@receiver(session_desactivee)
def fermer_ses_sockets(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    fermer_sockets(invites=[session.pk])


@receiver(session_fusionnee)
def fermer_les_sockets_de_la_fusion(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    """Close the guest's sockets, and a staff account's: reopened, it hears what has become its own as its owner."""
    compte: Any = session.fusionnee_dans
    de_l_equipe = a_le_droit(compte.role, Droit.SIGNALEMENTS_LIRE_EN_EQUIPE)
    fermer_sockets(invites=[session.pk], comptes=[compte.pk] if de_l_equipe else [])


@receiver(fusion_reprise)
def fermer_les_sockets_du_compte(sender: Any, compte: Any, **kwargs: Any) -> None:
    """Close the account's sockets: some listen to channels that are the guest's again."""
    fermer_sockets(comptes=[compte.pk])


@receiver(statut_decide)
def alerter_l_administration(sender: Any, statut: str, acteur: Acteur, signalement: Any, **kwargs: Any) -> None:
    """Alert with the deciding account and the case, if any; the reason is for the journal; nothing of the session."""
    with en_francais():
        message = _phrase(statut, signalement) % {"qui": acteur.compte, "dossier": signalement}
    publier("system_alert", ["admin"], {"niveau": "SECURITE", "message": message})


def _phrase(statut: str, signalement: Any) -> str:
    if signalement is not None and not signalement.est_ouvert_a_tous:  # every administrator hears it
        signalement = None
    if statut == StatutInvite.DISABLED and signalement is not None:
        return _("%(qui)s a désactivé la session invitée du dossier %(dossier)s. Le motif est au journal.")
    if statut == StatutInvite.DISABLED:
        return _("%(qui)s a désactivé une session invitée. Le motif est au journal.")
    if signalement is not None:
        return _("%(qui)s a rétabli la session invitée du dossier %(dossier)s. Le motif est au journal.")
    return _("%(qui)s a rétabli une session invitée. Le motif est au journal.")
