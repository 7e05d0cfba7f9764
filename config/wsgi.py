"""HTTP as WSGI: on its own behind a WSGI server, or inside config.asgi."""

import io
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.checks import exiger_coherence

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class CorpsSansLongueur:
    """A chunked body has no Content-Length, and WSGI would read it as empty: read it whole, within the limit."""

    def __init__(self, suite: Callable[..., Iterable[bytes]], limite: int) -> None:
        self.suite = suite
        self.limite = limite

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and not environ.get("CONTENT_LENGTH"):
            corps = environ["wsgi.input"].read(self.limite + 1)
            environ["wsgi.input"] = io.BytesIO(corps)
            environ["CONTENT_LENGTH"] = str(len(corps))
        return self.suite(environ, start_response)


application = CorpsSansLongueur(get_wsgi_application(), settings.JSON_MAX_OCTETS)
exiger_coherence()
