"""HTTP as WSGI, on its own behind a WSGI server; `config.asgi` does without."""

import io
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.checks import exiger_coherence

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class CorpsSansLongueur:
    """WSGI middleware that buffers a chunked body, within its limit, to give it the Content-Length that WSGI needs."""

    def __init__(self, suite: Callable[..., Iterable[bytes]]) -> None:
        self.suite = suite

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and not environ.get("CONTENT_LENGTH"):
            fichier = settings.TELEVERSEMENTS.get(environ.get("PATH_INFO", "").rstrip("/"), 0)
            corps = environ["wsgi.input"].read(fichier + settings.JSON_MAX_OCTETS + 1)
            environ["wsgi.input"] = io.BytesIO(corps)
            environ["CONTENT_LENGTH"] = str(len(corps))
        return self.suite(environ, start_response)


application = CorpsSansLongueur(get_wsgi_application())
exiger_coherence()
