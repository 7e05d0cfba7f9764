"""Replay of events after a cursor, for sockets, their REST twin, and the poll."""

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Max

from socle.realtime.enveloppe import Trame, a_rafraichir, enveloppe
from socle.realtime.models import CanalEfface, CompteurEvenements, Evenement
from socle.realtime.numerotation import dernier_numero, numeroter

LOT = 500
_CANAUX_NOMMES = 500  # with more open channels, a poll reads every channel and keeps its own
_PLUS_GRAND = 2**63 - 1


def relire(
    canal: str,
    audiences: list[str],
    depuis: str | int,
    limite: int = LOT,
    demande: str = "",
    lecteur: UUID | None = None,
) -> list[dict[str, Any]]:
    """Envelopes after the cursor `depuis`, oldest first ("0" = all that is kept), or one `refresh_required`.

    `demande` is the channel asked for, where it leads to `canal`: it holds the events from before it was joined.
    """
    numeroter()
    canaux = {canal, demande or canal}
    position = _lire_position(depuis)
    lignes: list[Evenement] = []
    if position is not None:
        lisibles = Evenement.objects.filter(audience__in=audiences, numero__gt=position).order_by("numero")
        # Channel by channel, as the index has them in order.
        lues = [ligne for un in canaux for ligne in lisibles.filter(canal=un)[:limite]]
        lignes = sorted(lues, key=lambda ligne: ligne.numero or 0)[:limite]
    compteur = CompteurEvenements.lire()  # after the rows: a purge in between is then seen
    if position is not None and not _a_perdu(canaux, audiences, position, compteur):
        return [enveloppe(ligne, lecteur) for ligne in lignes]
    return [a_rafraichir(canal, plus_recent(canaux, audiences, compteur.dernier_numero))]


def _a_perdu(canaux: set[str], audiences: list[str], position: int, compteur: CompteurEvenements) -> bool:
    """True where events of these channels after the cursor were purged, or where its number was never given."""
    if position > compteur.dernier_numero:
        return True
    return 0 < position < compteur.dernier_purge and position < _efface(canaux, audiences)


def plus_recent(canaux: set[str], audiences: list[str], jusque: int) -> int:
    """The greatest number up to `jusque` audible on these channels, which tells nothing about other channels.

    It is 1 on channels without events: 0 would mean "all that is kept", for which no deleted event counts as missed.
    """
    lus = _gardes_et_effaces(canaux, audiences, jusque).values()
    return max(garde for garde, _efface in lus) or max(min(jusque, 1), *(efface for _garde, efface in lus))


def plus_recents(ecoutes: set[tuple[str, tuple[str, ...]]], jusque: int) -> dict[tuple[str, tuple[str, ...]], int]:
    """`plus_recent` for each channel and its audiences, in one statement for all of the same audiences."""
    canaux: dict[tuple[str, ...], list[str]] = {}
    for canal, audiences in ecoutes:
        canaux.setdefault(audiences, []).append(canal)
    return {
        (canal, audiences): garde or max(efface, min(jusque, 1))
        for audiences, siens in canaux.items()
        for canal, (garde, efface) in _gardes_et_effaces(siens, audiences, jusque).items()
    }


_GARDES_ET_EFFACES = """
    SELECT canaux.value, coalesce((
        SELECT numero FROM realtime_evenement
        WHERE canal = canaux.value AND audience IN ({audiences}) AND numero <= %s ORDER BY numero DESC LIMIT 1
    ), 0), coalesce((
        SELECT max(numero) FROM realtime_canalefface WHERE canal IN (canaux.value, '') AND audience IN ({audiences})
    ), 0)
    FROM {canaux} AS canaux
"""


def _gardes_et_effaces(canaux: Collection[str], audiences: Sequence[str], jusque: int) -> dict[str, tuple[int, int]]:
    """For each channel the greatest number kept, and the high-water mark of its purge, 0 without one.

    Channel by channel, as the index has them in order.
    """
    requete = _GARDES_ET_EFFACES.format(
        audiences=", ".join(["%s"] * len(audiences)),
        canaux="json_array_elements_text(%s::json)" if connection.vendor == "postgresql" else "json_each(%s)",
    )
    with connection.cursor() as curseur:
        curseur.execute(requete, [*audiences, jusque, *audiences, json.dumps(list(canaux))])
        return {canal: (garde, efface) for canal, garde, efface in curseur.fetchall()}


def _efface(canaux: set[str], audiences: list[str]) -> int:
    """The high-water mark of the purge over these channels and audiences, 0 without one."""
    effaces = CanalEfface.objects.filter(canal__in=[*canaux, ""], audience__in=audiences)
    return effaces.aggregate(dernier=Max("numero"))["dernier"] or 0


def _lire_position(depuis: str | int) -> int | None:
    texte = str(depuis)
    if not (texte.isascii() and texte.isdigit() and len(texte) <= 19):
        return None
    return position if (position := int(texte)) <= _PLUS_GRAND else None


class Suite(NamedTuple):
    """Result of a poll: the missing frames of its channels, complete up to `jusque`; more follow unless complete."""

    trames: list[Trame]
    jusque: int
    est_complete: bool


def lire_suite(positions: dict[str, int]) -> Suite:
    """Read the events past each channel's cursor, 500 at most: numbers first, payloads for the missing ones alone."""
    jusque = dernier_numero()  # before the rows: all of them up to it are visible
    if jusque <= (depuis := min(positions.values())):
        return Suite([], jusque, est_complete=True)
    apres = Evenement.objects.filter(numero__gt=depuis, numero__lte=jusque)
    if len(positions) <= _CANAUX_NOMMES:
        apres = apres.filter(canal__in=list(positions))
    vus = list(apres.order_by("numero").values_list("numero", "canal")[:LOT])
    est_complete = len(vus) < LOT
    manquants = [numero for numero, canal in vus if numero is not None and numero > positions.get(canal, numero)]
    lignes = Evenement.objects.filter(numero__in=manquants).order_by("numero") if manquants else []
    dernier = jusque if est_complete else vus[-1][0] or 0
    return Suite([Trame.de(ligne) for ligne in lignes], dernier, est_complete)
