"""Merge records of cases that are deleted whole: they stay true, and lose every text of them."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from discussions.models import Discussion, Message
from guests.models import AuditFusion, SessionInvitee
from signalements.models import EntreeTimeline, Signalement
from socle.domaine.verrous import verrouiller_dans_l_ordre

Comptes = dict[UUID, dict[str, int]]  # guest session -> how many rows of each kind came from it


def compter(dossiers: Collection[UUID]) -> Comptes:
    """Count what these cases hold that merges moved, by session and in the words of `migratedCounts`."""
    lignes = {
        "signalements": Signalement.objects.filter(Q(pk__in=dossiers) | Q(absorbe_par__in=dossiers)),
        "suivis": EntreeTimeline.objects.filter(signalement__in=dossiers),
        "discussions": Discussion.objects.filter(signalement__in=dossiers),
        "messages": Message.objects.filter(discussion__signalement__in=dossiers),
    }
    comptes: Comptes = {}
    for nom, siennes in lignes.items():
        venues: Any = siennes.filter(fusionne_de__isnull=False).order_by().values_list("fusionne_de")
        for session, nombre in venues.annotate(n=Count("pk")):
            comptes.setdefault(session, {})[nom] = nombre
    return comptes


def tenir(sessions: Iterable[UUID], comptes: Iterable[UUID]) -> list[AuditFusion]:
    """Lock these guest sessions, then the records of their merges and of every merge into these accounts."""
    cles = sorted(sessions)
    verrouiller_dans_l_ordre(SessionInvitee.objects.filter(pk__in=cles).values_list("pk"))
    return verrouiller_dans_l_ordre(AuditFusion.objects.filter(Q(session__in=cles) | Q(compte__in=list(comptes))))


def oublier(
    audits: Iterable[AuditFusion], comptes: Comptes, dossiers: Collection[UUID], discussions: Collection[UUID]
) -> None:
    """Take the texts of these cases out of the records, and write down what went: the rest of each stays as it was."""
    signalements, fils = set(map(str, dossiers)), set(map(str, discussions))
    doublons = _doublons(audits, discussions)
    changes = []
    for audit in audits:
        a_change = _sans_textes(audit.retour, signalements, fils)
        if audit.date_annulation is None and (partis := comptes.get(audit.session_id)):
            _noter(audit.resume, partis, signalements, fils, doublons)
            a_change = True
        if a_change:
            changes.append(audit)
    AuditFusion.objects.bulk_update(changes, ["resume", "retour"])


def _doublons(audits: Iterable[AuditFusion], discussions: Collection[UUID]) -> set[str]:
    """Ids of the messages that a merge set aside as equal to another, among those of these discussions."""
    nommes = [UUID(cle) for audit in audits for cle in audit.resume["deduplicatedMessages"]]
    restes = Message.objects.filter(pk__in=nommes, discussion__in=discussions) if nommes else Message.objects.none()
    return {str(pk) for pk in restes.values_list("pk", flat=True)}


def _sans_textes(retour: dict[str, Any], signalements: set[str], fils: set[str]) -> bool:
    """Remove from a way back the states of what goes, the one place where it holds texts; True where there were."""
    trouves = False
    for nom, cles in (("signalements", signalements), ("discussions", fils)):
        cibles = retour.get(nom, {}).get("cibles", {})
        for cle in cibles.keys() & cles:
            del cibles[cle]
            trouves = True
    return trouves


def _noter(
    resume: dict[str, Any], partis: dict[str, int], signalements: set[str], fils: set[str], doublons: set[str]
) -> None:
    effaces = resume.setdefault("erased", {"counts": {}, "signalements": [], "discussions": [], "messages": []})
    for nom, nombre in partis.items():
        effaces["counts"][nom] = effaces["counts"].get(nom, 0) + nombre
    for nom, cle, siens in (
        ("signalements", "absorbedSignalements", signalements),
        ("discussions", "absorbedDiscussions", fils),
        ("messages", "deduplicatedMessages", doublons),
    ):
        effaces[nom] = sorted({*effaces[nom], *(un for un in resume[cle] if un in siens)})
