"""Numbers for committed events, in an order that every reader can trust, and the sender they are handed to."""

import os
from collections import Counter

from django.db import connection, transaction
from django.db.models import F, OuterRef, QuerySet, Subquery

from config.metriques import events_published_total
from config.realtime.expedition import Expediteur
from config.realtime.models import CompteurEvenements, Evenement

LOT = 500
_NUMEROTER = """
    UPDATE realtime_evenement SET numero = %s + suite.rang
    FROM (
        SELECT id, row_number() OVER (ORDER BY id) AS rang
        FROM realtime_evenement WHERE numero IS NULL ORDER BY id LIMIT %s
    ) AS suite
    WHERE realtime_evenement.id = suite.id
"""


def numeroter() -> None:
    """Number what is committed and hand it to the sender; a greater number is never visible before a smaller one."""
    while Evenement.objects.filter(numero__isnull=True).exists():
        lot = _numeroter_un_lot()
        for type_, nombre in Counter(evenement.type for evenement in lot).items():
            events_published_total.labels(type_).inc(nombre)
        _expediteur.deposer(lot)


def _numeroter_un_lot() -> list[Evenement]:
    with transaction.atomic(durable=True):
        base = CompteurEvenements.verrouille().dernier_numero
        with connection.cursor() as curseur:
            curseur.execute(_NUMEROTER, [base, LOT])
            nombre = curseur.rowcount
        CompteurEvenements.objects.update(dernier_numero=F("dernier_numero") + nombre)
    return list(_avec_precedent().filter(numero__gt=base, numero__lte=base + nombre).order_by("numero"))


def _avec_precedent() -> QuerySet[Evenement]:
    """Each event knows the number before it on its channel, so that a receiver sees at once that it missed one."""
    avant = Evenement.objects.filter(canal=OuterRef("canal"), numero__lt=OuterRef("numero")).order_by("-numero")
    return Evenement.objects.annotate(precedent=Subquery(avant.values("numero")[:1]))


def reveiller() -> None:
    """Have this process number and send what was just committed; returns at once."""
    _expediteur.reveiller()


def arreter_expedition() -> None:
    _expediteur.arreter()


def _repartir() -> None:
    """A fork keeps the objects and loses the threads: the child starts with a sender of its own."""
    global _expediteur
    _expediteur = Expediteur(numeroter)


_expediteur = Expediteur(numeroter)
os.register_at_fork(after_in_child=_repartir)
