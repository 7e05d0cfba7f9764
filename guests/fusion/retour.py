"""The way back of a merge, for an operator: every moved row returns to the guest, or nothing does."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from discussions import fusion as fusion_des_discussions
from echeances.services import redonner
from guests.fusion import pieces
from guests.fusion.applications import VERSION, RetourDUneFusion
from guests.models import AuditFusion, SessionInvitee
from guests.signals import fusion_reprise
from guests.vocabulaire import StatutInvite
from resources.models import Fichier
from signalements import fusion as fusion_des_dossiers
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte


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
    if session.date_effacement is not None:  # nobody holds the id that would open its cases
        raise RetourImpossible(["La personne de cette session a été effacée."])
    audit.verrouiller()
    compte = audit.compte
    compte.verrouiller()
    _exiger_recente(audit)
    retour = _lire(audit.retour)
    des_dossiers, des_discussions = retour["signalements"], retour["discussions"]
    dossiers = fusion_des_dossiers.verrouiller(session, map(UUID, des_dossiers["cibles"]))
    concernees = [*des_discussions["cibles"], *(cle for cle, _lien in des_discussions["liens"])]
    conversations = fusion_des_discussions.verrouiller(session, map(UUID, concernees))
    obstacles = [
        *fusion_des_dossiers.obstacles(session, compte, des_dossiers, dossiers),
        *fusion_des_discussions.obstacles(session, compte, des_discussions, conversations),
    ]
    if obstacles:
        raise RetourImpossible(obstacles)
    fusion_reprise.send(SessionInvitee, compte=compte)  # before its channels part: none of them is the account's then
    concernes = [UUID(cle) for cle in (*des_dossiers["cibles"], *des_dossiers["absorbes"])]
    ecrits = fusion_des_discussions.ecrits_depuis(concernes, session.date_fusion)
    fusion_des_dossiers.detacher(session, compte, des_dossiers, dossiers, ecrits)
    # After the reports, as on the way there: whose a discussion is depends on its report.
    fusion_des_discussions.detacher(session, compte, des_discussions, conversations)
    redonner(map(UUID, des_dossiers["absorbes"]))
    Fichier.detacher(session)
    pieces.rendre(retour["fichiers"])
    session.statut, session.fusionnee_dans, session.date_fusion = StatutInvite.ACTIVE, None, None
    session.enregistrer("statut", "fusionnee_dans", "date_fusion")
    audit.date_annulation = timezone.now()
    audit.enregistrer("date_annulation")
    consigner(Acte.FUSION_ANNULEE, par=None, objet=audit.pk, sorte=Sorte.FUSION)


def _lire(stocke: dict[str, Any]) -> RetourDUneFusion:
    """Read a stored `AuditFusion.retour` into the present version; RetourImpossible for a later one."""
    if stocke.get("version", 1) > VERSION:
        raise RetourImpossible(["Cette fusion a été faite par une version plus récente du service."])
    return {
        "version": VERSION,
        "signalements": stocke["signalements"],
        "discussions": stocke["discussions"],
        "fichiers": stocke.get("fichiers", []),  # version 1 may name none
    }


def _exiger_recente(audit: AuditFusion) -> None:
    if audit.date_annulation is not None:
        raise RetourImpossible(["Cette fusion est déjà annulée."])
    if "erased" in audit.resume:
        raise RetourImpossible(["Des dossiers de cette fusion ont été effacés depuis, leur temps de garde passé."])
    delai = timedelta(days=settings.MERGE_REVERT_DAYS)
    if timezone.now() - audit.date_creation > delai:
        raise RetourImpossible([f"Cette fusion date de plus de {delai.days} jours (MERGE_REVERT_DAYS)."])
