"""Throughput of one discussion, in messages a second, with many threads that write in it at once."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection, connections

from discussions.models import Discussion
from discussions.services import ecrire, ouvrir
from guests.services import ouvrir as ouvrir_session
from socle.domaine.acteurs import ActeurInvite


def mesurer(fils: int, *, rapide: bool) -> Iterator[dict[str, Any]]:
    acteur = ActeurInvite(invite=ouvrir_session(telephone="+243812345621"))
    discussion = ouvrir(acteur=acteur, titre="Une discussion très suivie")
    depart, duree = Barrier(fils), 0.3 if rapide else 5.0

    def ecrire_sans_relache(fil: int) -> tuple[int, float, float]:
        """Write until the time is over; return `(messages, start, end)`, in seconds of `perf_counter`."""
        try:
            connection.ensure_connection()
            depart.wait()
            debut, ecrits = time.perf_counter(), 0
            while time.perf_counter() < debut + duree:
                relue = Discussion.objects.get(pk=discussion.pk)
                ecrire(acteur=acteur, discussion=relue, contenu=f"Message {ecrits} du fil {fil}.")
                ecrits += 1
            return ecrits, debut, time.perf_counter()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(fils) as equipe:
        ecrits, debuts, fins = zip(*equipe.map(ecrire_sans_relache, range(fils)), strict=True)
    numeros = list(discussion.messages.order_by("numero_sequence").values_list("numero_sequence", flat=True))
    if numeros != list(range(1, sum(ecrits) + 1)):
        raise RuntimeError("les numéros ne sont pas 1 … n")
    yield {"quoi": "discussion", "fils": fils, "messages": sum(ecrits), "secondes": max(fins) - min(debuts)}
