"""Django's handler without WSGI between it and the server: an environment in, a whole answer out."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.urls import ResolverMatch, get_resolver

from socle.api.champs import MOTIF_UUID
from socle.metriques import SANS_ROUTE

Environ = dict[str, Any]
ROUTES_CONNUES = 1024
_UUID = re.compile(f"({MOTIF_UUID})")


class Reponse(NamedTuple):
    statut: int
    entetes: list[tuple[bytes, bytes]]
    corps: bytes
    fichier: IO[bytes] | None = None


class Gestionnaire(WSGIHandler):
    """Django's own, called as a WSGI server would: what wraps it sees every request. A file is handed back open."""

    def __init__(self) -> None:
        super().__init__()
        self.routes = Routes()

    def repondre(self, environ: Environ) -> Reponse:
        dits: list[Any] = []
        fichiers: list[Any] = []

        def envoyer_le_fichier(fichier: Any, _morceau: int) -> Any:
            fichiers.append(fichier)
            return fichier

        def commencer(statut: str, entetes: Any, _erreur: Any = None) -> None:
            dits.extend((statut, entetes))

        environ["wsgi.file_wrapper"] = envoyer_le_fichier
        corps: Any = self(environ, commencer)  # type: ignore[arg-type]
        try:
            statut, entetes = int(dits[0][:3]), _entetes(dits[1])
            if fichiers:
                return Reponse(statut, entetes, b"", fichiers[0])
            octets = b"".join(corps)
        except BaseException:
            corps.close()
            raise
        corps.close()  # which sends `request_finished`
        return Reponse(statut, entetes, octets)

    def resolve_request(self, request: Any) -> ResolverMatch:
        """Django's, remembered; one that a middleware gives a URLconf of its own is looked for there."""
        if hasattr(request, "urlconf"):
            return super().resolve_request(request)
        request.resolver_match = self.routes.trouver(request.path_info)
        return request.resolver_match


@contextmanager
def connexion_gardee() -> Iterator[None]:
    """Have requests that are answered inside a transaction leave it its connection, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


class Routes:
    """The router of Django, remembered for paths that differ by their UUIDs alone."""

    def __init__(self) -> None:
        self.connues: dict[tuple[str, str], tuple[ResolverMatch, tuple[str, ...]]] = {}

    def trouver(self, chemin: str) -> ResolverMatch:
        morceaux = _UUID.split(chemin)  # what is fixed, with the ids in between
        ids = morceaux[1::2]
        cle = (settings.ROOT_URLCONF, "*".join(morceaux[::2]) if ids else chemin)
        if connue := self.connues.get(cle):
            trouvee, noms = connue
            return _avec(trouvee, dict(zip(noms, ids, strict=True))) if ids else trouvee
        trouvee = get_resolver().resolve(chemin)
        # Kept where the ids are all that the path varies by.
        est_connue = trouvee.url_name != SANS_ROUTE and not trouvee.args and "*" not in chemin
        if est_connue and list(trouvee.kwargs.values()) == ids:
            if len(self.connues) >= ROUTES_CONNUES:
                self.connues.clear()
            self.connues[cle] = trouvee, tuple(trouvee.kwargs)
        return trouvee


def _avec(trouvee: Any, kwargs: dict[str, str]) -> ResolverMatch:
    suite = (trouvee.url_name, trouvee.app_names, trouvee.namespaces, trouvee.route, trouvee.tried)
    return ResolverMatch(trouvee.func, trouvee.args, kwargs, *suite, kwargs, trouvee.extra_kwargs)


def _entetes(dits: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    # Django writes a cookie with a space before it, which a strict server refuses to send.
    return [(nom.lower().encode("latin-1"), dit.strip().encode("latin-1")) for nom, dit in dits]
