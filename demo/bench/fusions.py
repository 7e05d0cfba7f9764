"""Time and queries of a merge, by the number of the guest's messages."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from typing import Any
from uuid import uuid4

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Compte
from demo.insertion import inserer
from demo.volume import actualiser_statistiques
from discussions.models import Discussion, Message
from discussions.services import ouvrir as ouvrir_discussion
from guests.fusion.execution import fusionner
from guests.models import SessionInvitee
from guests.services import ouvrir as ouvrir_session
from guests.vocabulaire import Politique
from signalements.services import creer
from signalements.vocabulaire import ANONYME
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite

TITRE = "Suite de mon signalement"
CAS: dict[str, Any] = {
    "titre": "Sac volé",
    "description": "Mon sac a disparu à la bibliothèque.",
    "type": "VOL",
    "mode_identification": ANONYME,
}
# Messages of the account in its own discussion of the case, in time between those of the guest.
DU_COMPTE = 10
LOT = 5_000
BEAUCOUP = 1_000
TEMOINS = 40


def mesurer(tailles: list[int], *, rapide: bool) -> Iterator[dict[str, Any]]:
    yield {"quoi": "temoin", "secondes": _temoin(5 if rapide else TEMOINS)}
    for conflit in (False, True):
        for taille in tailles:
            fois = 1 if rapide else 3 if taille >= BEAUCOUP else 7
            essais = [_fusionner_un_invite(taille, conflit=conflit) for _fois in range(fois)]
            yield {
                "quoi": "fusion",
                "conflit": conflit,
                "messages": taille,
                "requetes": max(requetes for requetes, _duree in essais),
                "secondes": median(duree for _requetes, duree in essais),
            }


def _temoin(fois: int) -> float:
    """Baseline: the median seconds of one row updated in its own transaction, the least write of machine and disk."""
    session = ouvrir_session(telephone="+243812345621")

    def changer() -> None:
        with transaction.atomic():
            SessionInvitee.objects.filter(pk=session.pk).update(date_derniere_activite=timezone.now())

    changer()
    return median(_duree(changer) for _fois in range(fois))


def _fusionner_un_invite(messages: int, *, conflit: bool) -> tuple[int, float]:
    """Merge a new guest into a new account and check the result; return `(queries, seconds)`."""
    session, compte = ouvrir_session(telephone="+243812345621"), _compte()
    _installer(ActeurInvite(invite=session), messages)
    if conflit:
        _installer(ActeurCompte(compte=compte), DU_COMPTE)
    actualiser_statistiques()
    with _requetes() as comptees:
        duree = _duree(
            lambda: fusionner(session=session, compte=compte, cle=str(uuid4()), accept_policy=Politique.MERGE_ALL)
        )
    if Discussion.objects.vivants().filter(compte=compte).get().dernier_numero != messages + DU_COMPTE * conflit:
        raise RuntimeError("la fusion n'a pas fait une seule discussion")
    return len(comptees), duree


def _compte() -> Compte:
    compte = Compte(email=f"{uuid4().hex}@campus.example", prenom="Awa", nom="Diop")
    compte.set_unusable_password()
    compte.indexer()
    compte.save(force_insert=True)
    return compte


def _installer(acteur: Acteur, nombre: int) -> None:
    """Create a report and its discussion, with this many messages over the last day."""
    discussion = ouvrir_discussion(acteur=acteur, titre=TITRE, signalement_id=creer(acteur=acteur, **CAS).pk)
    fin = timezone.now()
    debut = fin - timedelta(days=1)
    for premier in range(1, nombre + 1, LOT):
        numeros = range(premier, min(premier + LOT, nombre + 1))
        inserer(Message, [_message(acteur, discussion, n, debut + n * (fin - debut) / nombre) for n in numeros])
    discussion.dernier_numero = nombre
    discussion.compter(acteur.pk)
    discussion.enregistrer("dernier_numero", "participants")


def _message(acteur: Acteur, discussion: Discussion, numero: int, date: Any) -> Message:
    message = Message(
        discussion=discussion,
        numero_sequence=numero,
        origine=discussion,
        numero_origine=numero,
        contenu=f"{acteur.source} {numero} : je n'ai toujours pas retrouvé mon sac.",
        date_creation=date,
        date_modification=date,
        **acteur.proprietaire,
    )
    message.indexer()
    return message


def _duree(acte: Callable[[], Any]) -> float:
    debut = time.perf_counter()
    acte()
    return time.perf_counter() - debut


@contextmanager
def _requetes() -> Iterator[list[str]]:
    """Collect the SQL statements of the block, without BEGIN and COMMIT."""
    vues: list[str] = []

    def noter(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        vues.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(noter):
        yield vues
