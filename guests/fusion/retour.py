"""The way back of a merge, for an operator: every moved row returns to the guest, or nothing does."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from discussions import fusion as discussions
from guests.fusion import pieces
from guests.models import AuditFusion, SessionInvitee
from guests.signals import fusion_reprise
from guests.vocabulaire import StatutInvite
from resources.models import Fichier
from signalements import fusion as signalements


class RetourImpossible(Exception):
    """Raised with the sentences that say why, for the operator."""

    def __init__(self, raisons: list[str]) -> None:
        self.raisons = raisons
        super().__init__(" ".join(raisons))


@transaction.atomic
def annuler(audit: AuditFusion) -> None:
    """Take the merge back; the record stays, marked. Raises RetourImpossible when something cannot be put back."""
    session: SessionInvitee = audit.session
    session.verrouiller()
    audit.verrouiller()
    compte = audit.compte
    compte.verrouiller()
    _exiger_recente(audit)
    des_dossiers, des_discussions = audit.retour["signalements"], audit.retour["discussions"]
    dossiers = signalements.verrouiller(session, map(UUID, des_dossiers["cibles"]))
    concernees = [*des_discussions["cibles"], *(cle for cle, _lien in des_discussions["liens"])]
    conversations = discussions.verrouiller(session, map(UUID, concernees))
    obstacles = [
        *signalements.obstacles(session, des_dossiers, dossiers),
        *discussions.obstacles(session, compte, des_discussions, conversations),
    ]
    if obstacles:
        raise RetourImpossible(obstacles)
    fusion_reprise.send(SessionInvitee, compte=compte)  # before its channels part: none of them is the account's then
    discussions.detacher(session, compte, des_discussions, conversations)
    signalements.detacher(session, des_dossiers, dossiers)
    Fichier.detacher(session)
    pieces.rendre(audit.retour.get("fichiers", ()))  # a record of an older version names none
    session.statut, session.fusionnee_dans, session.date_fusion = StatutInvite.ACTIVE, None, None
    session.enregistrer("statut", "fusionnee_dans", "date_fusion")
    audit.date_annulation = timezone.now()
    audit.enregistrer("date_annulation")


def _exiger_recente(audit: AuditFusion) -> None:
    if audit.date_annulation is not None:
        raise RetourImpossible(["Cette fusion est déjà annulée."])
    delai = timedelta(days=settings.MERGE_REVERT_DAYS)
    if timezone.now() - audit.date_creation > delai:
        raise RetourImpossible([f"Cette fusion date de plus de {delai.days} jours (MERGE_REVERT_DAYS)."])
