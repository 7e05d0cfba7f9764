"""Prometheus metrics, all declared here; `socle/api/releve.py` collects them. No label ever holds personal data.

Labels have a bounded cardinality, whatever clients send; no file is made, and nothing recorded, before a metric's
first use.
"""

import logging
import os
import re
import socket
from functools import lru_cache
from itertools import product
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, values
from prometheus_client.metrics import MetricWrapperBase

journal = logging.getLogger("campus.metriques")
HOTE = socket.gethostname().replace("_", "-")
METHODES = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
AUTRE_METHODE = "AUTRE"
INCONNUE = "inconnue"  # the route label of a path that no route serves
SANS_ROUTE = "inconnue"  # the name of the catch-all patterns, which answer 404
_VARIABLE = re.compile(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>")


def identifiant() -> str:
    """Host and pid, which name the files of this process: containers that share the folder may share pids."""
    return f"{HOTE}-{os.getpid()}"


if settings.PROMETHEUS_MULTIPROC_DIR:
    values.ValueClass = values.MultiProcessValue(identifiant)
disable_created_metrics()  # a second series for each, which the text format has no use for


class _Rien:
    """Null object of a metric: records nothing."""

    def inc(self, amount: float = 1) -> None: ...

    def dec(self, amount: float = 1) -> None: ...

    def observe(self, amount: float) -> None: ...

    def set(self, value: float) -> None: ...


class _Reglee(MetricWrapperBase):
    """Mixin whose `labels` is the null object without METRICS_TOKEN, or when the folder of figures is unusable.

    That is logged once: a folder that is gone costs figures, never the request that they count.
    """

    _est_annonce = False

    def labels(self, *labelvalues: Any, **labelkwargs: Any) -> Any:
        if not settings.METRICS_TOKEN:
            return _RIEN
        try:
            return super().labels(*labelvalues, **labelkwargs)
        except OSError as panne:
            if not _Reglee._est_annonce:
                _Reglee._est_annonce = True
                journal.error("PROMETHEUS_MULTIPROC_DIR inutilisable, mesures perdues (%s)", type(panne).__name__)
            return _RIEN


class Compteur(_Reglee, Counter):
    pass


class Jauge(_Reglee, Gauge):
    pass


class Durees(_Reglee, Histogram):
    pass


_RIEN = _Rien()
registre = CollectorRegistry()

build_info = Jauge(
    "campus_build_info",
    "Version du service ; la valeur est toujours 1.",
    ["version"],
    multiprocess_mode="livemax",
    registry=registre,
)
requests_total = Compteur(
    "campus_requests_total",
    "Requêtes HTTP, refus compris.",
    ["method", "route", "status"],
    registry=registre,
)
request_duration_seconds = Durees(
    "campus_request_duration_seconds",
    "Durée des requêtes HTTP, sans la réception du corps ni l'envoi de la réponse.",
    ["method", "route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=registre,
)
sockets = Jauge(
    "campus_sockets",
    "WebSockets ouverts, par nom de canal.",
    ["canal"],
    multiprocess_mode="livesum",
    registry=registre,
)
events_published_total = Compteur(
    "campus_events_published_total",
    "Événements publiés : validés et numérotés.",
    ["type"],
    registry=registre,
)
events_late_total = Compteur(
    "campus_events_late_total",
    "Événements que la couche de diffusion n'a pas reçus à temps ; la lecture de la base les livre.",
    ["cause"],
    registry=registre,
)
events_caught_up_total = Compteur(
    "campus_events_caught_up_total",
    "Événements qu'un processus a livrés à ses sockets en lisant la base, la couche ne les ayant pas apportés d'abord.",
    ["canal"],
    registry=registre,
)
merges_total = Compteur(
    "campus_merges_total",
    "Demandes de rattachement d'une session invitée à un compte.",
    ["resultat"],
    registry=registre,
)
exports_total = Compteur(
    "campus_exports_total",
    "Exports finis : fichiers prêts, ou échecs.",
    ["format", "resultat"],
    registry=registre,
)
mails_sent_total = Compteur(
    "campus_mails_sent_total",
    "E-mails remis au serveur d'envoi.",
    ["modele"],
    registry=registre,
)
mail_failures_total = Compteur(
    "campus_mail_failures_total",
    "E-mails que le serveur d'envoi n'a pas pris ; chaque essai compte.",
    ["modele"],
    registry=registre,
)
tasks_total = Compteur(
    "campus_tasks_total",
    "Tâches en arrière-plan exécutées.",
    ["tache", "resultat"],
    registry=registre,
)

MAILS = (
    "adresse_a_confirmer",
    "adresse_contestee",
    "adresse_demandee",
    "ancienne_adresse",
    "avis",
    "avis_a_confirmer",
    "avis_evenements",
    "avis_publications",
    "changement",
    "codes_faux",
    "composition",
    "dossier_ferme",
    "equipe_sans_lecteur",
    "ouverture_motivee",
    "effacement_demande",
    "invitation",
    "nom_a_verifier",
    "reinitialisation",
    "sans_lecteur",
    "suppressions",
    "surete",
)
# Metrics with known label values, whose series start at 0: the first event is then seen as an increase.
CONNUES: list[tuple[_Reglee, dict[str, tuple[str, ...]]]] = [
    (events_late_total, {"cause": ("echec", "pause", "debordement")}),
    (merges_total, {"resultat": ("fusion", "rejeu", "conflit", "refus")}),
    (exports_total, {"format": ("csv", "xlsx"), "resultat": ("PRET", "ECHEC")}),
    (mails_sent_total, {"modele": MAILS}),
    (mail_failures_total, {"modele": MAILS}),
]


def amorcer() -> None:
    """Create the series of `CONNUES` at 0, and that of the version."""
    build_info.labels(settings.VERSION).set(1)
    for metrique, possibles in CONNUES:
        for valeurs in product(*possibles.values()):
            metrique.labels(**dict(zip(possibles, valeurs, strict=True)))


def methode_connue(methode: str | None) -> str:
    """The method, or one word for those that HTTP does not know: a client may write anything there."""
    return methode if methode in METHODES else AUTRE_METHODE


def compter_requete(methode: str | None, route: str, statut: int, secondes: float | None = None) -> None:
    """Count one request; `route` is a template, `secondes` None where the time measured is not the service's own."""
    if not settings.METRICS_TOKEN:
        return
    methode = methode_connue(methode)
    requests_total.labels(methode, route, statut).inc()
    if secondes is not None:
        request_duration_seconds.labels(methode, route).observe(secondes)


def route_de(request: HttpRequest) -> str:
    """The template of a request's route, of bounded cardinality; resolved here for one refused before its routing."""
    trouvee = request.resolver_match
    return _etiquette(trouvee.url_name, trouvee.route) if trouvee else route_du_chemin(request.path_info)


def route_du_chemin(chemin: str) -> str:
    if chemin.startswith(settings.STATIC_URL):
        return f"{settings.STATIC_URL}{{fichier}}"
    try:
        trouvee = resolve(chemin)
    except Resolver404:
        return INCONNUE
    return _etiquette(trouvee.url_name, trouvee.route)


def _etiquette(nom: str | None, route: str) -> str:
    return INCONNUE if nom == SANS_ROUTE else gabarit(route)


@lru_cache(maxsize=1024)
def gabarit(route: str) -> str:
    """`^api/v1/x/(?P<id>…)/?$` as `/api/v1/x/{id}`."""
    nue = _VARIABLE.sub(lambda trouve: f"{{{trouve[1] or trouve[2]}}}", route)
    return f"/{nue.removeprefix('^').removesuffix('$').removesuffix('/?')}".replace("\\.", ".")
