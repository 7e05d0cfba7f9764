"""A conversation about a report, as it was held: its messages, and how far each side has read."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from accounts.models import Compte
from demo.insertion import inserer
from demo.paroles import AUTEUR, EQUIPE, Propos
from discussions.models import Discussion, Lecture, Message
from signalements.models import Signalement


class Conversation(NamedTuple):
    discussion: Discussion
    messages: list[Message]
    lectures: list[Lecture]


def conversation(
    signalement: Signalement,
    *,
    pk: UUID,
    titre: str,
    propos: Sequence[Propos],
    equipe: Sequence[Compte],
    lue: bool,
    maintenant: datetime,
    pas: timedelta,
) -> Conversation:
    """Build messages `pas` apart after the report, none in the future; the first of `equipe` writes, all of it reads.

    Unless it is `lue`, the read cursors stop before the last messages of one side.
    """
    pas = min(pas, (maintenant - signalement.date_creation) / (len(propos) + 1))
    dates = [signalement.date_creation + rang * pas for rang in range(1, len(propos) + 1)]
    proprietaire = {"compte_id": signalement.compte_id, "invite_id": signalement.invite_id}
    membres = [{"compte_id": membre.pk, "invite_id": None} for membre in equipe]
    cotes = {AUTEUR: proprietaire, EQUIPE: membres[0]}
    discussion = Discussion(
        pk=pk,
        titre=titre,
        signalement_id=signalement.pk,
        titulaire=signalement.cle_du_proprietaire,
        dernier_numero=len(propos),
        date_creation=dates[0],
        date_modification=dates[-1],
        **cotes[propos[0].cote],
    )
    discussion.indexer()
    lus = len(propos) if lue else _avant_la_derniere_prise_de_parole(propos)
    messages = [
        _message(discussion, numero, dit.contenu, date, est_lu=numero <= lus, **cotes[dit.cote])
        for numero, (dit, date) in enumerate(zip(propos, dates, strict=True), 1)
    ]
    lecteurs = [proprietaire, *(membre for membre in membres if membre != proprietaire)] if lus else []
    lectures = [_lecture(discussion, lus, dates[lus - 1], **lecteur) for lecteur in lecteurs]
    for ici in (*(cotes[dit.cote] for dit in propos), *lecteurs):
        for qui in filter(None, ici.values()):
            discussion.compter(qui)
    discussion.non_lus = sum(cotes[dit.cote] != proprietaire for dit in propos[lus:])
    discussion.jamais_lus = len(propos[lus:]) - discussion.non_lus
    return Conversation(discussion, messages, lectures)


def enregistrer(conversations: Iterable[Conversation]) -> None:
    """Insert the rows in bulk, one statement a table, inside the caller's transaction; past acts publish no event."""
    conversations = list(conversations)
    inserer(Discussion, [c.discussion for c in conversations])
    inserer(Message, [message for c in conversations for message in c.messages])
    inserer(Lecture, [lecture for c in conversations for lecture in c.lectures])


def _avant_la_derniere_prise_de_parole(propos: Sequence[Propos]) -> int:
    """The number of the last message that was answered, 0 where nobody has answered."""
    dernier = propos[-1].cote
    return max((numero for numero, dit in enumerate(propos, 1) if dit.cote != dernier), default=0)


def _message(discussion: Discussion, numero: int, contenu: str, date: datetime, **champs: Any) -> Message:
    message = Message(
        discussion_id=discussion.pk,
        numero_sequence=numero,
        origine_id=discussion.pk,
        numero_origine=numero,
        contenu=contenu,
        date_creation=date,
        date_modification=date,
        **champs,
    )
    message.indexer()
    return message


def _lecture(discussion: Discussion, numero: int, date: datetime, **lecteur: Any) -> Lecture:
    return Lecture(discussion_id=discussion.pk, numero=numero, date_creation=date, date_modification=date, **lecteur)
