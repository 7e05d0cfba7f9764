"""Numbers for committed events, in an order that every reader can trust, and the sender they are handed to."""

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
# One message to the server, which runs it as one transaction and each statement on what is committed by then: a
# process that freezes after it has sent it holds nothing.
_EN_UN_MESSAGE = ";".join(["SELECT 1 FROM realtime_compteurevenements FOR UPDATE", _NUMEROTER, _AVANCER])


def numeroter() -> None:
    """Number what is committed and hand it to the sender; a greater number is never visible before a smaller one."""
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
    """The numbers given, None where a flush took the counter away."""
    with connection.cursor() as curseur:
        curseur.execute(_EN_UN_MESSAGE % {"lot": LOT})
        est_compte = curseur.rowcount == 1
        curseur.nextset()
        return [numero for (numero,) in curseur.fetchall()] if est_compte else None


def _numeroter_pas_a_pas() -> list[int]:
    """For SQLite, where a transaction is alone, and to make the counter again."""
    with transaction.atomic(durable=True):
        CompteurEvenements.verrouille()
        with connection.cursor() as curseur:
            curseur.execute(_NUMEROTER, {"lot": LOT})
            numeros = [numero for (numero,) in curseur.fetchall()]
            curseur.execute(_AVANCER)
    return numeros


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
