"""Django without WSGI between it and the server: an environment in, a whole answer out."""

from contextlib import suppress
from functools import partial
from typing import IO, Any, NamedTuple

from django.core.handlers.wsgi import WSGIHandler
from django.db import DEFAULT_DB_ALIAS, connections

Environ = dict[str, Any]
DANS_LA_BOUCLE = "campus.boucle"  # in the environment: what is answered from the server's loop asks no database


class Reponse(NamedTuple):
    statut: int
    entetes: list[tuple[bytes, bytes]]
    corps: bytes
    fichier: IO[bytes] | None = None


class Gestionnaire(WSGIHandler):
    """Django's handler; a file is handed back open, to be sent from the loop.

    Of what WSGI and its signals do for each request, what nothing here asks for is left out: a script prefix, a URLconf
    of the request, the log of refusals. A connection that cannot go on is looked for once, at the beginning.
    """

    def repondre(self, environ: Environ) -> Reponse:
        if DANS_LA_BOUCLE not in environ:  # where each task would be given a connection of its own, to look at
            connections[DEFAULT_DB_ALIAS].close_if_unusable_or_obsolete()
        request = self.request_class(environ)
        reponse: Any = self._middleware_chain(request)  # type: ignore[attr-defined]
        reponse._resource_closers.append(request.close)
        fichier: Any = getattr(reponse, "file_to_stream", None)
        if fichier is None:
            try:
                return Reponse(reponse.status_code, _entetes(reponse), b"".join(reponse))
            finally:
                _fermer(reponse)
        try:
            entetes = _entetes(reponse)
        except BaseException:
            _fermer(reponse)
            raise
        fichier.close = partial(_fermer, reponse)
        return Reponse(reponse.status_code, entetes, b"", fichier)


def _entetes(reponse: Any) -> list[tuple[bytes, bytes]]:
    entetes = [(cle.encode("latin-1"), dit.encode("latin-1")) for cle, (_, dit) in reponse.headers._store.items()]
    for cookie in reponse.cookies.values():
        # Django writes a cookie with a space before it, which a strict server refuses to send.
        entetes.append((b"set-cookie", cookie.output(header="").strip().encode("latin-1")))
    return entetes


def _fermer(reponse: Any) -> None:
    """What `close` does, without its signal: what cannot be closed hinders neither the others nor the answer."""
    for fermer in reponse._resource_closers:
        with suppress(Exception):
            fermer()
    reponse._resource_closers.clear()
    reponse.closed = True
