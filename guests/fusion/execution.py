"""The merge itself: one transaction, after which the guest's case is the account's, whole, or nothing has happened."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Compte
from discussions import fusion as fusion_des_discussions
from guests.erreurs import CleDUneAutreFusion, FusionAnnulee, PlanChange
from guests.fusion import pieces
from guests.fusion.applications import VERSION, RetourDUneFusion
from guests.fusion.plan import Plan, Resolution, compter, condensat, decider
from guests.models import AuditFusion, SessionInvitee
from guests.services import fermer_les_acces
from guests.signals import etape_franchie, session_fusionnee
from guests.vocabulaire import NOMMES_MAX, StatutInvite
from resources.models import Fichier
from signalements import fusion as fusion_des_dossiers
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.fusions import Decision, Niveau
from socle.domaine.temps import horodatage
from socle.erreurs import JetonInvalide


@dataclass(frozen=True)
class Nommes:
    """The guest's items that will be seen under the account's name: the newest of each kind, and exact totals."""

    signalements: list[Any]
    discussions: list[Any]
    total_signalements: int
    total_discussions: int

    @classmethod
    def de(cls, session: SessionInvitee) -> "Nommes":
        dossiers, echanges = fusion_des_dossiers.a_nommer(session), fusion_des_discussions.a_nommer(session)
        totaux = (dossiers.order_by().count(), echanges.order_by().count())
        return cls(list(dossiers[:NOMMES_MAX]), list(echanges[:NOMMES_MAX]), *totaux)


@dataclass(frozen=True)
class Apercu:
    """Preview of a merge; to a caller not signed in as the account, without conflicts and `porteront_votre_nom`."""

    guest_id: Any
    user_id: Any
    can_merge: bool
    counts: dict[str, int]
    conflicts: list[dict[str, Any]]
    conflicts_truncated: bool
    plan_digest: str
    porteront_votre_nom: Nommes | None


@dataclass(frozen=True)
class Resultat:
    guest_id: Any
    user_id: Any
    migrated_counts: dict[str, int]
    merged_at: str
    rejoue: bool = False
    merged: bool = True


def apercevoir(*, session: SessionInvitee, compte: Compte | None, user_id: Any) -> Apercu:
    """Build the preview; without `compte` nothing about any account is told: no conflicts, nor whether it exists."""
    active = session.statut == StatutInvite.ACTIVE
    plan, nommes = Plan(), None
    if compte is not None and active:
        plan, nommes = Plan.etablir(session, compte), Nommes.de(session)
    return Apercu(
        session.guest_id,
        user_id,
        active,
        compter(session),
        plan.conflits,
        not plan.complet,
        condensat(session, plan),
        nommes,
    )


def rejouer(*, session: SessionInvitee, compte: Compte, cle: str) -> Resultat | None:
    """Stored result of this key, None for a new one; 422 where another guest or account used it, 409 once reverted."""
    audit = AuditFusion.sous_la_cle(cle)
    if audit is None:
        return None
    if (audit.session_id, audit.compte_id) != (session.pk, compte.pk):
        raise CleDUneAutreFusion
    if audit.date_annulation is not None:
        raise FusionAnnulee
    return Resultat(session.guest_id, compte.pk, audit.resume["migratedCounts"], audit.resume["mergedAt"], rejoue=True)


@transaction.atomic
def fusionner(
    *,
    session: SessionInvitee,
    compte: Compte,
    cle: str,
    accept_policy: str,
    resolutions: Iterable[Resolution] = (),
    plan_digest: str | None = None,
) -> Resultat:
    """Merge, or answer the first result of this key; any refusal leaves everything as it was."""
    session.verrouiller()
    if (deja := rejouer(session=session, compte=compte, cle=cle)) is not None:
        return deja
    session.exiger_active()
    compte.verrouiller()
    if not compte.est_actif:
        raise JetonInvalide
    plan = Plan.etablir(session, compte)
    if plan_digest is not None and plan_digest != condensat(session, plan):
        raise PlanChange(details=plan.conflits)
    decisions = decider(plan, accept_policy, resolutions)
    comptes, retour = compter(session), _deplacer(session, compte, decisions)
    session.statut, session.fusionnee_dans, session.date_fusion = StatutInvite.MERGED, compte, timezone.now()
    session.enregistrer("statut", "fusionnee_dans", "date_fusion")
    _franchir("session")
    resume = _resumer(session, accept_policy, comptes, decisions, retour)
    audit = AuditFusion(session=session, compte=compte, resume=resume, retour=retour, date_creation=session.date_fusion)
    audit.poser_la_cle(cle)
    _enregistrer(audit)
    consigner(Acte.FUSION, par=None, objet=audit.pk, sorte=Sorte.FUSION)
    _franchir("audit")
    fermer_les_acces(session)
    session_fusionnee.send(SessionInvitee, session=session)
    return Resultat(session.guest_id, compte.pk, comptes, resume["mergedAt"])


def _deplacer(session: SessionInvitee, compte: Compte, decisions: list[Decision]) -> RetourDUneFusion:
    """Lock reports, then discussions, each kind in id order; move files and both; return what the way back needs."""
    des_dossiers = [d for d in decisions if d.paire.niveau is Niveau.SIGNALEMENT]
    des_discussions = [d for d in decisions if d.paire.niveau is Niveau.DISCUSSION]
    dossiers = fusion_des_dossiers.verrouiller(session, (d.paire.cible.pk for d in des_dossiers))
    conversations = fusion_des_discussions.verrouiller(session, (d.paire.cible.pk for d in des_discussions))
    _franchir("verrous")
    Fichier.rattacher(session, compte)
    dossiers_rendus = fusion_des_dossiers.rattacher(session, compte, des_dossiers, dossiers)
    _franchir("signalements")
    rendues = fusion_des_discussions.rattacher(session, compte, des_discussions, conversations, dossiers_rendus)
    joints = [dossiers[d.paire.cible.pk] for d in des_dossiers if d.joint]
    fichiers = pieces.reserver(joints, compte)
    _franchir("discussions")
    return {"version": VERSION, "signalements": dossiers_rendus, "discussions": rendues, "fichiers": fichiers}


def _resumer(
    session: SessionInvitee,
    politique: str,
    comptes: dict[str, int],
    decisions: list[Decision],
    retour: RetourDUneFusion,
) -> dict[str, Any]:
    """The summary of the record, in the words of the contract; nothing in it opens a case."""
    return {
        "acceptPolicy": politique,
        "migratedCounts": comptes,
        "mergedAt": horodatage(session.date_fusion),
        "decisions": [
            {
                "level": d.paire.niveau.value,
                "guestEntityId": str(d.paire.source.pk),
                "targetEntityId": str(d.paire.cible.pk),
                "reason": d.paire.motif.value,
                "action": d.action.value,
            }
            for d in decisions
        ],
        "absorbedSignalements": retour["signalements"]["absorbes"],
        "absorbedDiscussions": list(retour["discussions"]["sources"]),
        "deduplicatedMessages": retour["discussions"]["doublons"],
    }


def _enregistrer(audit: AuditFusion) -> None:
    try:
        audit.save(force_insert=True)
    except IntegrityError as autre:  # another merge took the key at this moment; this one leaves nothing
        raise CleDUneAutreFusion from autre


def _franchir(etape: str) -> None:
    etape_franchie.send(SessionInvitee, etape=etape)
