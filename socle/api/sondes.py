"""Health probes of database, cache, channel layer and disk: each in its own thread pool, 1.5 s at most."""

import asyncio
import os
import shutil
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection, transaction

from socle.api.vocabulaire import EtatSonde
from socle.domaine.disque import DisquePlein, exiger_du_disque
from socle.moteur.delais import echeance
from socle.moteur.executeur import Executeur

ETATS = "campus.etats"  # in the WSGI environment: the states found before Django saw the request
SECONDES = 1.5
DISQUE_PLEIN = "53100"
PLACE_MINIMALE = 20 * 1024 * 1024  # under which SQLite may fail at any write

# Sort more rows than work_mem holds: the server spills them to its disk, which fails on a full one; nothing is kept.
_DEBORDER = "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY n DESC) AS lignes"


def sonder() -> dict[str, str]:
    """Run all probes at once: `{name: state}`, INDISPONIBLE for one that is late or fails in whatever way."""
    en_cours = {nom: _fils[nom].submit(sonde) for nom, sonde in SONDES.items()}
    return {nom: _etat(futur) for nom, futur in en_cours.items()}


def _etat(futur: "Future[EtatSonde]") -> EtatSonde:
    try:
        return futur.result(timeout=SECONDES)
    except Exception:
        futur.cancel()  # one that hangs is not asked again and again
        return EtatSonde.INDISPONIBLE


def _base() -> EtatSonde:
    """Open and close a connection of its own: the probe tells whether one can be had and would take a write."""
    try:
        with echeance(SECONDES):
            return _base_postgresql() if connection.vendor == "postgresql" else _base_sqlite()
    finally:
        connection.close()


def _base_postgresql() -> EtatSonde:
    try:
        with transaction.atomic(), connection.cursor() as curseur:
            curseur.execute("SELECT current_setting('transaction_read_only')::bool")
            if curseur.fetchone()[0]:
                return EtatSonde.LECTURE_SEULE
            curseur.execute("SET LOCAL work_mem = '64kB'")
            curseur.execute(_DEBORDER)
    except OperationalError as panne:
        if getattr(panne.__cause__, "sqlstate", None) == DISQUE_PLEIN:
            return EtatSonde.LECTURE_SEULE
        raise
    return EtatSonde.OK


def _base_sqlite() -> EtatSonde:
    with connection.cursor() as curseur:
        curseur.execute("SELECT 1")
    base = Path(connection.settings_dict["NAME"])
    place = shutil.disk_usage(base.parent).free
    return EtatSonde.OK if os.access(base, os.W_OK) and place >= PLACE_MINIMALE else EtatSonde.LECTURE_SEULE


def _disque() -> EtatSonde:
    """Compare free disk with the floor for uploads: LECTURE_SEULE below it."""
    try:
        exiger_du_disque(settings.DATA_DIR)
    except DisquePlein:
        return EtatSonde.LECTURE_SEULE
    return EtatSonde.OK


def _cache() -> EtatSonde:
    cache.set("sonde", "1", 5)
    return EtatSonde.OK if cache.get("sonde") == "1" else EtatSonde.INDISPONIBLE


def _temps_reel() -> EtatSonde:
    async_to_sync(_envoyer_sonde)()
    return EtatSonde.OK


async def _envoyer_sonde() -> None:
    couche = get_channel_layer()
    await asyncio.wait_for(couche.group_send("sonde", {"type": "sonde"}), SECONDES)


SONDES: dict[str, Callable[[], EtatSonde]] = {
    "base_de_donnees": _base,
    "cache": _cache,
    "temps_reel": _temps_reel,
    "disque": _disque,
}
# Threads for each: a probe that hangs must not keep the others from answering.
_fils = {nom: Executeur(2, f"sonde-{nom}") for nom in SONDES}
