"""The collector behind `/metrics`: counters of the processes, and gauges read from database and system when asked."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.db import Error as ErreurDeBase
from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult, get_date_max
from prometheus_client import Metric, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from socle.domaine.registre import Registre
from socle.erreurs import ServiceIndisponible
from socle.metriques import HOTE, amorcer, registre
from socle.realtime.models import Evenement

_CONNEXIONS = """
    SELECT coalesce(state, 'autre'), count(*), current_setting('max_connections')::int
    FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' GROUP BY 1
"""


# Name -> () -> a gauge, read from the database by a short query; an app above fills each.
jauges_de_la_base: Registre[Callable[[], Metric]] = Registre("jauges lues dans la base", attendus=["avis", "dates"])


class _Releve(Collector):
    def collect(self) -> Iterator[Metric]:
        if settings.PROMETHEUS_MULTIPROC_DIR:
            yield from _partagees(Path(settings.PROMETHEUS_MULTIPROC_DIR))
        else:
            yield from registre.collect()
            yield from ProcessCollector(registry=None).collect()
        yield from _base()


def relever() -> bytes:
    amorcer()
    return generate_latest(_Releve())


def _partagees(dossier: Path) -> list[Metric]:
    """Sum the counters of the processes that share this folder, and add the system's figures for each of them."""
    try:
        vivants = oublier_les_morts(dossier)
        return [*MultiProcessCollector(None, str(dossier)).collect(), *_processus(vivants)]
    except (OSError, ValueError) as panne:  # taken away, or emptied while it is read
        raise ServiceIndisponible(attente=60) from panne


def oublier_les_morts(dossier: Path) -> list[str]:
    """Drop the live gauges of processes of this machine that are gone; return the names of those that live."""
    vivants = []
    for nom in sorted({fichier.stem.rpartition("_")[2] for fichier in dossier.glob("*.db")}):
        hote, _tiret, numero = nom.rpartition("-")
        if hote != HOTE or not numero.isdigit():
            continue
        if _vit(int(numero)):
            vivants.append(nom)
        else:
            mark_process_dead(nom, str(dossier))
    return vivants


def _vit(numero: int) -> bool:
    try:
        os.kill(numero, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _processus(vivants: list[str]) -> Iterator[Metric]:
    """Repeat ProcessCollector, made for one process, over all of them, each under its `processus` label."""
    familles: dict[str, Metric] = {}
    for nom in vivants:
        numero = nom.rpartition("-")[2]
        for mesure in ProcessCollector(pid=numero.__str__, registry=None).collect():
            famille = familles.setdefault(mesure.name, Metric(mesure.name, mesure.documentation, mesure.type))
            famille.samples += [lu._replace(labels={"processus": nom}) for lu in mesure.samples]
    yield from familles.values()


def _base() -> Iterator[Metric]:
    """Gauges of a few short queries; while the database is away, `campus_database_up` is 0 and the rest is served."""
    try:
        mesures = [_taches(), _evenements(), *(lire() for _nom, lire in jauges_de_la_base.items()), *_connexions()]
    except ErreurDeBase:
        mesures = []
    yield GaugeMetricFamily("campus_database_up", "1 quand la base de données a répondu.", value=float(bool(mesures)))
    yield from mesures


def _taches() -> Metric:
    """Count waiting tasks, by the partial index on them; failures are counted in `tasks_total` as they happen."""
    dues = Q(run_after=get_date_max()) | Q(run_after__lte=timezone.now())
    pretes = DBTaskResult.objects.filter(status=TaskResultStatus.READY).order_by()
    nombres = pretes.aggregate(dues=Count("pk", filter=dues), toutes=Count("*"))
    mesure = GaugeMetricFamily(
        "campus_tasks_waiting", "Tâches en file : à faire, ou remises à plus tard après un échec.", labels=["etat"]
    )
    mesure.add_metric(["a_faire"], nombres["dues"])
    mesure.add_metric(["differee"], nombres["toutes"] - nombres["dues"])
    return mesure


def _evenements() -> Metric:
    nombre = Evenement.objects.filter(numero__isnull=True).count()
    return GaugeMetricFamily("campus_events_waiting", "Événements validés, pas encore numérotés.", value=nombre)


def _connexions() -> list[Metric]:
    """Count the connections of every program to this database, by state; [] on SQLite, which has no server to ask."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as curseur:
        curseur.execute(_CONNEXIONS)
        lignes = curseur.fetchall()
    ouvertes = GaugeMetricFamily(
        "campus_database_connections", "Connexions ouvertes à la base PostgreSQL.", labels=["etat"]
    )
    for etat, nombre, _limite in lignes:
        ouvertes.add_metric([etat], nombre)
    limite = lignes[0][2]
    return [
        ouvertes,
        GaugeMetricFamily("campus_database_connections_max", "Connexions que PostgreSQL accepte.", value=limite),
    ]
