"""What the domain calls to announce something: an event becomes a row, and leaves after the commit."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction

from config.realtime.models import Evenement
from config.realtime.numerotation import reveiller
from config.realtime.vocabulaire import CONTROLE, PUBLIC


def publier(type_: str, canaux: list[str], *payloads: dict[str, Any], audience: str = PUBLIC) -> None:
    """Write the events in the caller's transaction, one row a payload and channel, with one statement.

    The channel layer cannot fail the request.
    """
    Evenement.objects.bulk_create(
        Evenement(type=type_, canal=canal, payload=payload, audience=audience)
        for payload in payloads
        for canal in canaux
    )
    transaction.on_commit(reveiller, robust=True)


def fermer_sockets(
    *, sessions: Iterable[UUID] = (), comptes: Iterable[UUID] = (), invites: Iterable[UUID] = ()
) -> None:
    """End with 4001, in every process, the sockets of these; what was published before reaches them first."""
    cibles = {"sessions": sessions, "comptes": comptes, "invites": invites}
    if ordre := {quoi: cles for quoi, lesquels in cibles.items() if (cles := [str(cle) for cle in lesquels])}:
        publier("fermer_sockets", [CONTROLE], ordre)
