"""Numbering of committed events under one lock, so that a cursor misses none, and the sender they are handed to."""

import os
from collections import Counter
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.db.models import OuterRef, Subquery

from socle.metriques import events_published_total
from socle.moteur.choix import ORDINAIRE
from socle.moteur.compilee import envoyer
from socle.moteur.pipeline import Ordre
from socle.realtime.expedition import Expediteur
from socle.realtime.models import CompteurEvenements, Evenement

LOT = 500
_NUMEROTER = """
    UPDATE realtime_evenement SET numero = compteur.dernier_numero + suite.rang
    FROM realtime_compteurevenements AS compteur, (
        SELECT id, row_number() OVER (ORDER BY id) AS rang
        FROM realtime_evenement WHERE numero IS NULL ORDER BY id LIMIT %(lot)s
    ) AS suite
    WHERE compteur.id = 1 AND realtime_evenement.id = suite.id
"""
# Nobody numbers without the lock: a counter made again between the two statements is not the one that was locked.
_SI_VERROUILLE = " AND current_setting('campus.numerotation', true) = 'verrouillee'"
_AVANCER = """
    UPDATE realtime_compteurevenements SET dernier_numero = donne.numero
    FROM (SELECT max(numero) AS numero FROM realtime_evenement) AS donne WHERE id = 1 AND donne.numero > dernier_numero
"""
# The row, and the number before it on its channel as this statement sees it: of another batch.
_LIGNE = """
    %(colonnes)s, (
        SELECT max(avant.numero) FROM realtime_evenement AS avant
        WHERE avant.canal = realtime_evenement.canal AND avant.numero <= compteur.dernier_numero
    )
"""
# The rows to number are read in the order of their index, one by one, whatever the table's statistics say: those of a
# rush, or of an empty table, would have PostgreSQL read the whole table, or by a bitmap every entry that a number has
# left dead since the last vacuum. An index scan marks these, and the next write clears them away.
# The settings are those of who holds the lock: beside `FOR UPDATE` itself they would be set before its wait is over.
_VERROUILLER = """
    WITH verrou AS MATERIALIZED (SELECT 1 FROM realtime_compteurevenements WHERE id = 1 FOR UPDATE)
    SELECT set_config('campus.numerotation', 'verrouillee', true),
        set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true),
        set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
    FROM verrou
"""
_OU_EN_EST = """
    SELECT dernier_numero, EXISTS (SELECT 1 FROM realtime_evenement WHERE numero IS NULL)
    FROM realtime_compteurevenements
"""


def dernier_numero() -> int:
    """Number what is committed, then return the greatest number; one statement where nothing waits for its own."""
    with connection.cursor() as curseur:
        curseur.execute(_OU_EN_EST)
        dernier, reste = curseur.fetchone() or (0, True)
    if not reste:
        return int(dernier)
    numeroter()
    return CompteurEvenements.lire().dernier_numero


def numeroter() -> None:
    """Number the committed events and hand them to the sender; no number is visible before a smaller one."""
    if Evenement.objects.filter(numero__isnull=True).exists():
        _numeroter_tout()


def _numeroter_au_reveil() -> None:
    """`numeroter` for the sender, who is woken when there is something; SQLite locks even to find nothing."""
    if connection.vendor == "postgresql":
        _numeroter_tout()
    else:
        numeroter()


def _numeroter_tout() -> None:
    lot = _numeroter_un_lot()
    while len(lot) == LOT:  # less was all there was
        lot = _numeroter_un_lot()


def _numeroter_un_lot() -> list[Evenement]:
    """Number a batch and hand it to the sender, each event with its `precedent`: a receiver sees a gap at once."""
    lot = None if ORDINAIRE or connection.vendor != "postgresql" else _numeroter_sur_postgresql()
    if lot is None:
        lot = _numeroter_pas_a_pas()
    for type_, nombre in Counter(evenement.type for evenement in lot).items():
        events_published_total.labels(type_).inc(nombre)
    if lot:
        _expediteur.deposer(lot)
    return lot


def _numeroter_sur_postgresql() -> list[Evenement] | None:
    """Number a batch in one round trip; return the events numbered, None where a flush took the counter away.

    The server has it whole and runs it as one transaction, each statement on a fresh snapshot: a process that freezes
    after sending it holds no lock. RuntimeError inside a transaction, as for a durable block: it might be undone.
    """
    with transaction.atomic(durable=True, savepoint=False):  # which refuses to be inside another, and sends nothing
        pass
    verrou, lignes, _avances = envoyer(connection, _en_un_envoi())
    return _lier([_evenement(*ligne) for ligne in lignes]) if verrou else None


@cache
def _noms() -> list[str]:
    return [champ.attname for champ in Evenement._meta.concrete_fields]


@cache
def _en_un_envoi() -> list[Ordre]:
    colonnes = ", ".join(f"realtime_evenement.{champ.column}" for champ in Evenement._meta.concrete_fields)
    numeroter_et_lire = (_NUMEROTER + _SI_VERROUILLE + " RETURNING " + _LIGNE) % {"lot": LOT, "colonnes": colonnes}
    return [Ordre(texte.encode()) for texte in (_VERROUILLER, numeroter_et_lire, _AVANCER)]


def _evenement(*ligne: Any) -> Evenement:
    *valeurs, precedent = ligne
    evenement = Evenement.from_db(connection.alias, _noms(), valeurs)
    evenement.precedent = precedent  # type: ignore[attr-defined]
    return evenement


def _lier(evenements: list[Evenement]) -> list[Evenement]:
    """Sort a batch by number, and give each its `precedent` in the batch, where it has one."""
    evenements.sort(key=lambda evenement: evenement.numero or 0)
    derniers: dict[str, int | None] = {}
    for evenement in evenements:
        if evenement.canal in derniers:
            evenement.precedent = derniers[evenement.canal]  # type: ignore[attr-defined]
        derniers[evenement.canal] = evenement.numero
    return evenements


def _numeroter_pas_a_pas() -> list[Evenement]:
    """Number statement by statement in a transaction: on SQLite, and on PostgreSQL to make the counter again."""
    avant = Evenement.objects.filter(canal=OuterRef("canal"), numero__lt=OuterRef("numero")).order_by("-numero")
    with transaction.atomic(durable=True):
        CompteurEvenements.verrouille()
        with connection.cursor() as curseur:
            curseur.execute(_NUMEROTER + " RETURNING realtime_evenement.numero", {"lot": LOT})
            numeros = [numero for (numero,) in curseur.fetchall()]
            curseur.execute(_AVANCER)
    evenements = Evenement.objects.annotate(precedent=Subquery(avant.values("numero")[:1]))
    return list(evenements.filter(numero__in=numeros).order_by("numero"))


def reveiller() -> None:
    """Wake the sender thread, which numbers and sends what was just committed; returns at once."""
    _expediteur.reveiller()


def arreter_expedition() -> None:
    _expediteur.arreter()


def _repartir() -> None:
    """Replace the sender in a forked child: a fork keeps the object and loses its thread."""
    global _expediteur
    _expediteur = Expediteur(_numeroter_au_reveil)


_expediteur = Expediteur(_numeroter_au_reveil)
os.register_at_fork(after_in_child=_repartir)
