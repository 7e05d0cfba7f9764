"""Plan of a merge: the pairs that match, and the decision about each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import Compte
from discussions import fusion as fusion_des_discussions
from guests.erreurs import ConflitDeFusion, TropDeConflits
from guests.fusion import pieces
from guests.models import SessionInvitee
from guests.vocabulaire import Politique
from signalements import fusion as fusion_des_dossiers
from socle.domaine.fusions import Action, Decision, Groupe, Motif, Niveau, Paire, Rencontres
from socle.domaine.texte import condenser
from socle.erreurs import ChampsInvalides

# (id of the case that an element ends on, or None; whether that case hides its author).
_Sort = tuple[UUID | None, bool]


@dataclass(frozen=True)
class Resolution:
    """The caller's word on one thing of the guest; `rang` is its place in the request."""

    rang: int
    niveau: Niveau
    source: UUID
    cible: UUID
    action: Action


@dataclass(frozen=True)
class Plan:
    """Matching pairs of guest and account, bounded: those past the bound stay apart, or hold MERGE_SAFE back."""

    dossiers: Rencontres = field(default_factory=Rencontres)
    discussions: Rencontres = field(default_factory=Rencontres)

    @classmethod
    def etablir(cls, session: SessionInvitee, compte: Compte) -> "Plan":
        dossiers = pieces.restreindre(fusion_des_dossiers.rencontres(session, compte), compte)
        return cls(dossiers, fusion_des_discussions.rencontres(session, compte, dossiers))

    @property
    def paires(self) -> list[Paire]:
        return [*self.dossiers.paires, *self.discussions.paires]

    @property
    def conflits(self) -> list[dict[str, Any]]:
        return [paire.conflit for paire in self.paires]

    @property
    def complet(self) -> bool:
        return self.dossiers.completes and self.discussions.completes

    @property
    def deborde(self) -> bool:
        """True where the bound leaves matching elements of the guest unnamed."""
        return not (self.dossiers.toutes and self.discussions.toutes)


def compter(session: SessionInvitee, *, colonne: str = "invite") -> dict[str, int]:
    """Count what the guest owns, or (`fusionne_de`) owned: `signalements`, `discussions`, `messages`, `suivis`."""
    return {**fusion_des_dossiers.compter(**{colonne: session}), **fusion_des_discussions.compter(**{colonne: session})}


def condensat(session: SessionInvitee, plan: Plan) -> str:
    """Hex digest of the plan: equal as long as its pairs, and the facts that decide about them, are equal."""
    faits = [(paire.conflit, paire.egards) for paire in plan.paires]
    complets = [groupe.complet for niveau in (plan.dossiers, plan.discussions) for groupe in niveau.groupes]
    return condenser(str(session.pk), faits, complets, plan.deborde).hex


def decider(plan: Plan, politique: str, resolutions: Iterable[Resolution]) -> list[Decision]:
    """One decision for each thing of the guest that meets another.

    422 for a resolution that names no current conflict, or an action it does not allow; 409 names what is left open.
    """
    arbitre = _Arbitre(politique, _rapporter(plan, resolutions))
    for groupe in plan.dossiers.groupes:
        arbitre.trancher(groupe, a_regler=groupe.paires, defaut=_joindre_si_permis)
    arbitre.relever_les_anonymes()
    for groupe in plan.discussions.groupes:
        arbitre.trancher(groupe, a_regler=arbitre.a_regler(groupe.paires), defaut=arbitre.comme_les_dossiers)
    restent = [paire.conflit for paire in arbitre.ouverts]
    if plan.deborde and politique == Politique.MERGE_SAFE:
        raise TropDeConflits(details=restent)
    if restent:
        raise ConflitDeFusion(details=restent)
    return list(arbitre.retenues.values())


class _Arbitre:
    """Decides group after group: reports first, since discussions follow them."""

    def __init__(self, politique: str, reponses: dict[UUID, tuple[Resolution, Paire]]) -> None:
        self._au_mieux = politique == Politique.MERGE_ALL
        self._reponses = reponses
        self._anonymes: set[UUID] = set()  # reports that joining makes anonymous
        self._apportes: dict[UUID, _Sort] = {}  # target without a report -> the case that a join brings it
        self.retenues: dict[UUID, Decision] = {}
        self.ouverts: list[Paire] = []

    def trancher(self, groupe: Groupe, *, a_regler: list[Paire], defaut: Callable[[Paire], Action]) -> None:
        source = groupe.paires[0].source.pk
        if source in self._reponses:
            resolution, paire = self._reponses[source]
            if resolution.action is not Action.SKIP and self._se_trahiraient(paire):
                raise _refus(resolution, "action", _("Ces deux dossiers restent distincts : seul SKIP est possible."))
            self._retenir(Decision(paire, resolution.action))
        elif not a_regler and (groupe.complet or self._au_mieux):
            self._retenir(Decision(groupe.paires[0], Action.SKIP))
        elif self._au_mieux:
            self._retenir(Decision(a_regler[0], defaut(a_regler[0])))
        else:  # where nothing named is left to settle, something that is not named may be
            self.ouverts.extend(a_regler or groupe.paires)

    def relever_les_anonymes(self) -> None:
        """Record the joined cases that become anonymous, since either was; call once the reports are decided."""
        for decision in self.retenues.values():
            paire = decision.paire
            if decision.joint and (
                fusion_des_dossiers.se_cache(paire.source) or fusion_des_dossiers.se_cache(paire.cible)
            ):
                self._anonymes.add(paire.cible.pk)

    def a_regler(self, groupe: list[Paire]) -> list[Paire]:
        """Drop the SAME_REPORT pairs whose reports stay two: only these bring their discussions together."""
        return [p for p in groupe if p.motif is not Motif.SAME_REPORT or not self._restent_deux(p)]

    def comme_les_dossiers(self, paire: Paire) -> Action:
        joignables = Action.MERGE_FIELDS in paire.actions and not self._restent_deux(paire)
        return Action.MERGE_FIELDS if joignables and not self._se_trahiraient(paire) else Action.SKIP

    def _restent_deux(self, paire: Paire) -> bool:
        """True when each discussion ends on a report, and not on the same."""
        if paire.motif is Motif.SAME_REPORT and paire.source.signalement_id not in self.retenues:
            return False  # on one report already, or on two whose own conflict is still open
        (un, _cache), (autre, _cachee) = self._sorts(paire)
        return None not in (un, autre) and un != autre

    def _se_trahiraient(self, paire: Paire) -> bool:
        """True for discussions that end on two cases, or on one and none, of which only one hides its author."""
        if paire.niveau is Niveau.SIGNALEMENT:
            return False
        (un, un_cache), (autre, autre_cache) = self._sorts(paire)
        return un != autre and un_cache != autre_cache

    def _sorts(self, paire: Paire) -> tuple[_Sort, _Sort]:
        """Outcomes of the guest's discussion and of the target, to which an earlier join may have brought a case."""
        de_l_invite, du_compte = self._sort(paire.source.signalement), self._sort(paire.cible.signalement)
        return de_l_invite, self._apportes.get(paire.cible.pk, du_compte)

    def _sort(self, dossier: Any) -> _Sort:
        """The case that a report ends as, and whether that hides its author."""
        if dossier is None:
            return None, False
        decision = self.retenues.get(dossier.pk)
        cas = decision.paire.cible if decision is not None and decision.joint else dossier
        return cas.pk, fusion_des_dossiers.se_cache(cas) or cas.pk in self._anonymes

    def _retenir(self, decision: Decision) -> None:
        paire = decision.paire
        self.retenues[paire.source.pk] = decision
        # A discussion without a report takes that of the first that joins it.
        apporte = self._sort(paire.source.signalement) if paire.niveau is Niveau.DISCUSSION else (None, False)
        if decision.joint and apporte[0] is not None and paire.cible.signalement is None:
            self._apportes.setdefault(paire.cible.pk, apporte)


def _joindre_si_permis(paire: Paire) -> Action:
    joignables = Action.MERGE_FIELDS in paire.actions
    mixtes = fusion_des_dossiers.sont_mixtes(paire.source, paire.cible)
    return Action.MERGE_FIELDS if joignables and not mixtes else Action.SKIP


def _rapporter(plan: Plan, resolutions: Iterable[Resolution]) -> dict[UUID, tuple[Resolution, Paire]]:
    """Index the resolutions by guest element, with their pairs; 422 for no conflict, a second one, a closed action."""
    connues = {(paire.niveau, *paire.cle): paire for paire in plan.paires}
    rapportees: dict[UUID, tuple[Resolution, Paire]] = {}
    for resolution in resolutions:
        paire = connues.get((resolution.niveau, resolution.source, resolution.cible))
        if paire is None:
            raise _refus(resolution, "guestEntityId", _("Ces deux éléments ne sont pas en conflit."))
        if resolution.source in rapportees:
            raise _refus(resolution, "guestEntityId", _("Une seule résolution par élément de la session invitée."))
        if resolution.action not in paire.actions:
            raise _refus(resolution, "action", _("Ces deux dossiers restent distincts : seul SKIP est possible."))
        rapportees[resolution.source] = resolution, paire
    return rapportees


def _refus(resolution: Resolution, champ: str, message: str) -> ChampsInvalides:
    nom = f"resolutions.{resolution.rang}.{champ}"
    return ChampsInvalides.depuis([{"field": nom, "message": message, "code": "invalid"}])
