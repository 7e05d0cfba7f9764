"""Cost of a route in this process, beside a bare Django view that answers the same octets, and its bare statements."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test.utils import override_settings
from django.urls import re_path

from config.serveur.gestionnaire import connexion_gardee
from config.wsgi import application
from demo.bench.routes import RouteMesuree

REPONSE = "demo.bench.reponse"
JALONS = ("SAVEPOINT", "RELEASE SAVEPOINT")


class Cout(NamedTuple):
    secondes: float
    processeur: float


def _rendre(demande: HttpRequest) -> HttpResponse:
    return HttpResponse(demande.META[REPONSE], content_type="application/json")


urlpatterns = [re_path("", _rendre)]


class _DemandeNue(WSGIRequest):
    urlconf = __name__


class _Nue(WSGIHandler):
    request_class = _DemandeNue


def vue_nue(demande: RouteMesuree) -> Callable[[], Any]:
    """Call of a view with no middleware, that answers what the route answers."""
    with override_settings(MIDDLEWARE=[]):
        nue = _Nue()
    corps = demande.appeler().corps
    return lambda: _par_wsgi(nue, demande.environ() | {REPONSE: corps})


def _par_wsgi(wsgi: Callable[..., Any], environ: dict[str, Any]) -> bytes:
    reponse = wsgi(environ, lambda *_: None)
    try:
        return b"".join(reponse)
    finally:
        reponse.close()


class Requetes:
    """The statements of one answer, kept to be run again with no Django around; all is rolled back."""

    def __init__(self, demande: RouteMesuree) -> None:
        self._vues: list[tuple[str, Any]] = []
        with connexion_gardee(), _annule(), connection.execute_wrapper(self._noter):
            _par_wsgi(application, demande.environ())
        self.nombre = sum(not sql.startswith(JALONS) for sql, _valeurs in self._vues)

    def _noter(self, execute: Any, sql: str, valeurs: Any, many: bool, contexte: Any) -> Any:
        self._vues.append((sql, valeurs))
        return execute(sql, valeurs, many, contexte)

    def executer(self, fois: int) -> Cout:
        total = Cout(0.0, 0.0)
        for _une in range(fois):
            with _annule(), connection.cursor() as curseur:
                cout = chronometrer(partial(self._rejouer, curseur.cursor), 1)
            total = Cout(total.secondes + cout.secondes, total.processeur + cout.processeur)
        return Cout(total.secondes / fois, total.processeur / fois)

    def _rejouer(self, curseur: Any) -> None:
        """By the driver's own cursor, prepared where the driver prepares at the asking, as the service's reads are."""
        options = {"prepare": True} if connection.vendor == "postgresql" else {}
        for sql, valeurs in self._vues:
            curseur.execute(sql, valeurs, **options)
            if curseur.description:
                curseur.fetchall()


def chronometrer(acte: Callable[[], Any], fois: int) -> Cout:
    """Mean seconds of an act, on the wall and of this thread's CPU."""
    mur, processeur = time.perf_counter(), time.thread_time()
    for _une in range(fois):
        acte()
    return Cout((time.perf_counter() - mur) / fois, (time.thread_time() - processeur) / fois)


@contextmanager
def _annule() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
