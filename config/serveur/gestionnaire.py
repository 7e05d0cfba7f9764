"""Django without WSGI between it and the server: an environment in, a whole answer out."""

import re
from functools import partial
from typing import IO, Any, NamedTuple

from django.core.handlers.wsgi import LimitedStream, WSGIHandler, WSGIRequest

from socle.domaine.lectures import connexion_du_fil

Environ = dict[str, Any]
_LONGUEUR = re.compile("[0-9]{1,18}")
DANS_LA_BOUCLE = "campus.boucle"  # in the environment: what is answered from the server's loop asks no database


class Reponse(NamedTuple):
    statut: int
    entetes: list[tuple[bytes, bytes]]
    corps: bytes
    fichier: IO[bytes] | None = None


class Requete(WSGIRequest):
    """Django's, from an environment of ours: no script name, a path that decodes, digits alone for a length."""

    def __init__(self, environ: Environ) -> None:
        self.environ = self.META = environ
        self.path_info = environ["PATH_INFO"] = chemin = environ["PATH_INFO"].encode("latin-1").decode() or "/"
        self.path = chemin if chemin[0] == "/" else f"/{chemin.replace('/', '', 1)}"
        self.method = environ["REQUEST_METHOD"].upper()
        if environ.get("CONTENT_TYPE"):
            self._set_content_type_params(environ)  # type: ignore[attr-defined]
        else:
            self.content_type, self.content_params = "", {}
        longueur = environ.get("CONTENT_LENGTH", "")
        taille = int(longueur) if _LONGUEUR.fullmatch(longueur) else 0
        self._stream = LimitedStream(environ["wsgi.input"], taille)  # type: ignore[assignment]
        self._read_started = False
        self.resolver_match = None


class Gestionnaire(WSGIHandler):
    """Django's handler; a file is handed back open, to be sent from the loop.

    Of what WSGI and its signals do for each request, what nothing here asks for is left out: a script prefix, a URLconf
    of the request, the log of refusals. A connection that cannot go on is looked for once, at the beginning.
    """

    request_class = Requete

    def repondre(self, environ: Environ) -> Reponse:
        if DANS_LA_BOUCLE not in environ:  # where each task would be given a connection of its own, to look at
            connexion_du_fil().close_if_unusable_or_obsolete()
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
        try:
            fermer()
        except Exception:  # noqa: S112 -- `suppress` would be made, entered and left for each answer
            continue
    reponse._resource_closers.clear()
    reponse.closed = True
