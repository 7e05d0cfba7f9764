"""Numbering of committed events under one lock, so that a cursor misses none, and the sender they are handed to."""

import os
from collections import Counter

from django.db import connection, transaction
from django.db.models import OuterRef, QuerySet, Subquery

from socle.metriques import events_published_total
from socle.realtime.expedition import Expediteur
from socle.realtime.models import CompteurEvenements, Evenement

LOT = 500
_NUMEROTER = """
    UPDATE realtime_evenement SET numero = compteur.dernier_numero + suite.rang
    FROM realtime_compteurevenements AS compteur, (
        SELECT id, row_number() OVER (ORDER BY id) AS rang
        FROM realtime_evenement WHERE numero IS NULL ORDER BY id LIMIT %(lot)s
    ) AS suite
    WHERE realtime_evenement.id = suite.id
    RETURNING realtime_evenement.numero
"""
_AVANCER = """
    UPDATE realtime_compteurevenements SET dernier_numero = coalesce(
        (SELECT max(numero) FROM realtime_evenement WHERE numero > dernier_numero), dernier_numero
    )
"""
# One message, run by the server as one transaction, each statement on a fresh snapshot: a process that freezes after
# sending it holds no lock.
_EN_UN_MESSAGE = ";".join(["SELECT 1 FROM realtime_compteurevenements FOR UPDATE", _NUMEROTER, _AVANCER])


def numeroter() -> None:
    """Number the committed events and hand them to the sender; no number is visible before a smaller one."""
    while Evenement.objects.filter(numero__isnull=True).exists():
        lot = _numeroter_un_lot()
        for type_, nombre in Counter(evenement.type for evenement in lot).items():
            events_published_total.labels(type_).inc(nombre)
        _expediteur.deposer(lot)


def _numeroter_un_lot() -> list[Evenement]:
    numeros = _numeroter_sur_postgresql() if connection.vendor == "postgresql" else None
    if numeros is None:
        numeros = _numeroter_pas_a_pas()
    return list(_avec_precedent().filter(numero__in=numeros).order_by("numero"))


def _numeroter_sur_postgresql() -> list[int] | None:
    """Run `_EN_UN_MESSAGE`; return the numbers given, None where a flush took the counter away."""
    with connection.cursor() as curseur:
        curseur.execute(_EN_UN_MESSAGE % {"lot": LOT})
        est_compte = curseur.rowcount == 1
        curseur.nextset()
        return [numero for (numero,) in curseur.fetchall()] if est_compte else None


def _numeroter_pas_a_pas() -> list[int]:
    """Number statement by statement in a transaction: on SQLite, and on PostgreSQL to make the counter again."""
    with transaction.atomic(durable=True):
        CompteurEvenements.verrouille()
        with connection.cursor() as curseur:
            curseur.execute(_NUMEROTER, {"lot": LOT})
            numeros = [numero for (numero,) in curseur.fetchall()]
            curseur.execute(_AVANCER)
    return numeros


def _avec_precedent() -> QuerySet[Evenement]:
    """Annotate each event with `precedent`, the number before it on its channel: a receiver sees a gap at once."""
    avant = Evenement.objects.filter(canal=OuterRef("canal"), numero__lt=OuterRef("numero")).order_by("-numero")
    return Evenement.objects.annotate(precedent=Subquery(avant.values("numero")[:1]))


def reveiller() -> None:
    """Wake the sender thread, which numbers and sends what was just committed; returns at once."""
    _expediteur.reveiller()


def arreter_expedition() -> None:
    _expediteur.arreter()


def _repartir() -> None:
    """Replace the sender in a forked child: a fork keeps the object and loses its thread."""
    global _expediteur
    _expediteur = Expediteur(numeroter)


_expediteur = Expediteur(numeroter)
os.register_at_fork(after_in_child=_repartir)
