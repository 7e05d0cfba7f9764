"""The domain's side of the outbox: an event becomes a row of the transaction, and is sent after the commit."""

import json
from collections.abc import Iterable
from contextvars import ContextVar
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone

from socle.moteur.ecritures import ENSEMBLE_MAX, inserer_rangees
from socle.realtime.declarations import exiger
from socle.realtime.enveloppe import Masque
from socle.realtime.models import Evenement
from socle.realtime.numerotation import reveiller
from socle.realtime.vocabulaire import CONTROLE, FERMER_SOCKETS, ORDRES, PUBLIC, REDIRIGER

# Channels of one payload past which the database copies one parameter, instead of getting one for each.
BEAUCOUP = ENSEMBLE_MAX


def publier(
    type_: str,
    canaux: list[str],
    *payloads: dict[str, Any],
    audience: str = PUBLIC,
    masque: Masque = None,
) -> None:
    """Write the events in the caller's transaction, one row a payload and channel, with one statement.

    `type_` is declared (`declarations.declarer`), and `masque` an answer of `masquer_a`. The channel layer cannot fail
    the request.
    """
    if len(canaux) > BEAUCOUP:
        exiger(type_)
        for payload in payloads:
            _ecrire_pour_beaucoup(type_, canaux, payload, audience, masque)
        transaction.on_commit(reveiller, robust=True)
    else:
        annoncer(Annonce(type_, canal, payload, audience, masque) for payload in payloads for canal in canaux)


class Annonce(NamedTuple):
    """An event to be written: the columns of its row that are not given by its writing."""

    type: str
    canal: str
    payload: dict[str, Any]
    audience: str = PUBLIC
    masque: Masque = None


class _Rangee(NamedTuple):
    """The row of an event, without the model."""

    type: str
    canal: str
    payload: dict[str, Any]
    audience: str
    masque: Masque
    date_creation: datetime
    numero: int | None = None


_ensemble: ContextVar[list[Annonce] | None] = ContextVar("annonces", default=None)


class SignalAnnonce(Signal):
    """Django's, whose receivers' events are written together once all have heard it, in their order."""

    def send(self, sender: Any, **nommes: Any) -> list[tuple[Any, Any]]:
        annonces: list[Annonce] = []
        jeton = _ensemble.set(annonces)
        try:
            entendus = super().send(sender, **nommes)
        finally:
            _ensemble.reset(jeton)
        if annonces:
            annoncer(annonces)
        return entendus


def annoncer(annonces: Iterable[Annonce]) -> None:
    """Insert these events, of any types and in their order, with one statement; wake the sender on commit."""
    ensemble = _ensemble.get()
    if ensemble is not None:
        ensemble.extend(annonces)
        return
    maintenant = timezone.now()
    rangees = [_Rangee(*annonce, maintenant) for annonce in annonces]
    for type_ in {rangee.type for rangee in rangees} - ORDRES:
        exiger(type_)
    inserer_rangees(Evenement, rangees)
    transaction.on_commit(reveiller, robust=True)


def _ecrire_pour_beaucoup(
    type_: str, canaux: list[str], payload: dict[str, Any], audience: str, masque: Masque
) -> None:
    """INSERT … SELECT over the channels as JSON: the payload travels once, and the database copies it."""
    modele = Evenement(type=type_, audience=audience, payload=payload, masque=masque)
    champs = [champ for champ in Evenement._meta.concrete_fields if champ.name not in ("id", "canal")]
    valeurs = [champ.get_db_prep_save(getattr(modele, champ.attname), connection) for champ in champs]
    un_par_ligne = "json_array_elements_text(%s::json)" if connection.vendor == "postgresql" else "json_each(%s)"
    with connection.cursor() as curseur:
        curseur.execute(
            f"INSERT INTO realtime_evenement ({', '.join(champ.attname for champ in champs)}, canal) "  # noqa: S608 -- ours
            f"SELECT {', '.join(['%s'] * len(champs))}, canaux.value FROM {un_par_ligne} AS canaux",
            [*valeurs, json.dumps(canaux)],
        )


def fermer_sockets(
    *, sessions: Iterable[UUID] = (), comptes: Iterable[UUID] = (), invites: Iterable[UUID] = ()
) -> None:
    """Publish an order to close with 4001, in every process, the sockets of these; earlier events reach them first."""
    cibles = {"sessions": sessions, "comptes": comptes, "invites": invites}
    if ordre := {quoi: cles for quoi, lesquels in cibles.items() if (cles := [str(cle) for cle in lesquels])}:
        publier(FERMER_SOCKETS, [CONTROLE], ordre)


def oublier(canaux: Iterable[str], *objets: str, depuis: datetime) -> None:
    """Delete what these channels hold about these objects, by the ids in the payloads: no replay gives it any more."""
    du_sujet = Q(payload__id__in=objets) | Q(payload__signalementId__in=objets)
    Evenement.objects.filter(du_sujet, canal__in=list(canaux), date_creation__gte=depuis).delete()


def oublier_le_type(canal: str, type_: str) -> None:
    """Delete the events of this type that the channel holds: its person may not have them any more."""
    Evenement.objects.filter(canal=canal, type=type_).delete()


def oublier_alertes(mots: Iterable[str], *, depuis: datetime) -> None:
    """Delete the alerts to administrators whose sentence has one of these words: they hold no id, and are few."""
    cherches = set(mots)
    alertes = Evenement.objects.filter(type="system_alert", canal="admin", date_creation__gte=depuis).order_by()
    dites = [
        cle
        for cle, payload in alertes.values_list("pk", "payload")
        if any(mot in payload["message"] for mot in cherches)
    ]
    Evenement.objects.filter(pk__in=dites).delete()


def oublier_canaux(canaux: Iterable[str]) -> None:
    """Delete all that these channels hold: what they are about is no more."""
    Evenement.objects.filter(canal__in=list(canaux)).delete()


def rediriger(chemins: dict[str, str]) -> None:
    """Publish an order `{old channel: new}`: in every process, listeners to the old, or who asked for it, move over.

    Events published before still reach them by the old channel.
    """
    if chemins:
        publier(REDIRIGER, [CONTROLE], {"canaux": chemins})
