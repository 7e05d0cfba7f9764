"""Rows of a report with the history that its statut supposes: received, entrusted, handled."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from accounts.models import Compte
from demo import conversations
from demo.conversations import Conversation
from demo.insertion import inserer
from demo.textes import CHEMINS
from signalements.compteurs.suivi import suivre
from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import RESOLUS, Priorite, Statut, TypeEntree


class Dossier(NamedTuple):
    signalement: Signalement
    entrees: list[EntreeTimeline]
    conversations: tuple[Conversation, ...] = ()


def dossier(
    signalement: Signalement, *, gestionnaire: Compte, notes: Iterable[str], maintenant: datetime, pas: timedelta
) -> Dossier:
    """Complete a report whose statut, priorite and dates are set; steps are `pas` apart, none in the future."""
    etapes = list(_etapes(signalement, gestionnaire, notes))
    pas = min(pas, (maintenant - signalement.date_creation) / (len(etapes) + 1))
    auteur = {"compte_id": signalement.compte_id, "invite_id": signalement.invite_id}
    equipe = {"compte_id": gestionnaire.pk, "invite_id": None}
    entrees = [
        _entree(signalement, signalement.date_creation, type=TypeEntree.CREATION, apres=Statut.NOUVEAU, **auteur)
    ]
    for rang, champs in enumerate(etapes, 1):
        entrees.append(_entree(signalement, signalement.date_creation + rang * pas, **champs, **equipe))
    if signalement.statut != Statut.NOUVEAU:
        signalement.gestionnaire_id = gestionnaire.pk
    signalement.date_resolution = _resolu_depuis(signalement, entrees)
    signalement.date_modification = max(e.date_creation for e in entrees if e.type != TypeEntree.NOTE)
    return Dossier(signalement, entrees)


def _resolu_depuis(signalement: Signalement, entrees: list[EntreeTimeline]) -> datetime | None:
    if signalement.statut not in RESOLUS:
        return None
    entrees_dans = [e for e in entrees if e.apres in RESOLUS and e.avant not in RESOLUS]
    return entrees_dans[-1].date_creation


def enregistrer(dossiers: Iterable[Dossier]) -> None:
    """Insert the rows in bulk, one statement a table, inside the caller's transaction; past acts publish no event."""
    dossiers = list(dossiers)
    signalements = [d.signalement for d in dossiers]
    with suivre(*signalements):
        inserer(Signalement, signalements)
        for signalement in signalements:
            signalement.retenir()  # COPY, unlike save(), does not mark a row as written
    inserer(EntreeTimeline, [entree for d in dossiers for entree in d.entrees])
    conversations.enregistrer(c for d in dossiers for c in d.conversations)


def _etapes(signalement: Signalement, gestionnaire: Compte, notes: Iterable[str]) -> Iterator[dict[str, Any]]:
    avant = Statut.NOUVEAU
    for apres in CHEMINS[signalement.statut]:
        if apres == Statut.ASSIGNE:
            yield {"type": TypeEntree.ASSIGNATION, "contenu": gestionnaire.nom_complet}
        yield {"type": TypeEntree.STATUT, "avant": avant, "apres": apres}
        avant = apres
        if apres == Statut.ASSIGNE and signalement.priorite == Priorite.CRITICAL:
            yield {"type": TypeEntree.PRIORITE, "avant": Priorite.HIGH, "apres": Priorite.CRITICAL}
        if apres == CHEMINS[signalement.statut][:2][-1]:
            yield from ({"type": TypeEntree.NOTE, "contenu": note} for note in notes)


def _entree(signalement: Signalement, date: datetime, **champs: Any) -> EntreeTimeline:
    return EntreeTimeline(signalement_id=signalement.pk, date_creation=date, date_modification=date, **champs)
