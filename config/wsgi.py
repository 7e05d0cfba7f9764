"""HTTP as WSGI, on its own behind a WSGI server; `config.asgi` does without."""

import os
import tempfile
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.checks import exiger_coherence
from socle.domaine.envois import envoi_max

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
MORCEAU = 256 * 1024


class CorpsSansLongueur:
    """WSGI middleware that buffers a chunked body, within its limit, to give it the Content-Length that WSGI needs.

    One longer than a text waits on disk.
    """

    def __init__(self, suite: Callable[..., Iterable[bytes]]) -> None:
        self.suite = suite

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower() and not environ.get("CONTENT_LENGTH"):
            reste = (envoi_max(environ.get("PATH_INFO", "")) or 0) + settings.JSON_MAX_OCTETS + 1
            corps = tempfile.SpooledTemporaryFile(settings.JSON_MAX_OCTETS)  # noqa: SIM115 -- read after this returns
            while reste and (morceau := environ["wsgi.input"].read(min(reste, MORCEAU))):
                reste -= corps.write(morceau)
            environ["CONTENT_LENGTH"] = str(corps.tell())
            corps.seek(0)
            environ["wsgi.input"] = corps
        return self.suite(environ, start_response)


application = CorpsSansLongueur(get_wsgi_application())
exiger_coherence()
